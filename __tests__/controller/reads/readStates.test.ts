import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Endpoint, Entity, ExpiryStatus } from 'holdfast';
import { Held, settled, StatusError } from '../../support/held.ts';

class ArticleThatNeedsTitle extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
  static override validate({ title }: Readonly<Record<string, unknown>>): string | undefined {
    return title === undefined ? 'no title' : undefined;
  }
}

const LENGTH = 60_000;
const ERROR_LENGTH = 1_000;
const params = { id: '1' };

/** A read in some state: a controller with a clock of its own, and a server that counts. */
class Setting {
  now = 1_000_000;
  readonly server = new Held();
  readonly controller = new Controller({ now: () => this.now });
  readonly get = new Endpoint((given: { id: string }) => this.server.fetch(given), {
    name: 'get',
    schema: ArticleThatNeedsTitle,
  });
  readonly remove = new Endpoint((given: { id: string }) => Promise.resolve(given), {
    name: 'remove',
    schema: new Delete(ArticleThatNeedsTitle),
    sideEffect: true,
  });

  /** Has been answered once. */
  filled(): this {
    this.controller.setResponse(this.get, params, { id: '1', title: 'one' });
    return this;
  }

  /** Its last request has failed. */
  failed(status: number): this {
    this.controller.setError(this.get, params, new StatusError(status));
    return this;
  }

  later(ms: number): this {
    this.now += ms;
    return this;
  }

  /** What a mount asks the server for. */
  async asked(get = this.get): Promise<number> {
    const before = this.server.calls.length;
    void Promise.resolve(this.controller.fetchIfStale(get, params)).catch(() => undefined);
    void Promise.resolve(this.controller.fetchIfStale(get, params)).catch(() => undefined);
    await settled();
    return this.server.calls.length - before;
  }
}

const { Valid, Invalid, InvalidIfStale } = ExpiryStatus;

describe('a read', () => {
  it.each<[state: string, setting: () => Setting, title: string | undefined, status: number, asks: number]>([
    ['fresh', () => new Setting().filled().later(LENGTH - 1), 'one', Valid, 0],
    ['stale', () => new Setting().filled().later(LENGTH), 'one', Valid, 1],
    // A clock that was ahead when the answer arrived, and has been put right.
    ['from the future', () => new Setting().filled().later(-LENGTH), 'one', Valid, 1],
    ['whose error is from the future', () => new Setting().failed(500).later(-LENGTH), undefined, Invalid, 1],
    [
      'from the future that never expires',
      () => {
        const setting = new Setting();
        const { get, controller } = setting;
        controller.setResponse(get.extend({ dataExpiryLength: Infinity }), params, { id: '1', title: 'one' });
        return setting.later(-LENGTH);
      },
      'one',
      Valid,
      0,
    ],
    [
      'whose expiry is not a number',
      () => {
        const setting = new Setting();
        const { get, controller } = setting;
        controller.setResponse(get.extend({ dataExpiryLength: NaN }), params, { id: '1', title: 'one' });
        return setting;
      },
      'one',
      Valid,
      1,
    ],
    [
      'served from rows of the future',
      () => {
        const setting = new Setting();
        setting.controller.set(ArticleThatNeedsTitle, params, { id: '1', title: 'one' });
        return setting.later(-LENGTH);
      },
      'one',
      Valid,
      1,
    ],
    ['never fetched', () => new Setting(), undefined, Invalid, 1],
    [
      'invalidated',
      () => {
        const setting = new Setting().filled();
        setting.controller.invalidate(setting.get, params);
        return setting;
      },
      undefined,
      Invalid,
      1,
    ],
    [
      'whose entity was deleted',
      () => {
        const setting = new Setting().filled();
        setting.controller.setResponse(setting.remove, params, params);
        return setting;
      },
      undefined,
      Invalid,
      1,
    ],
    [
      'whose entity fails validate',
      () => {
        const setting = new Setting();
        setting.controller.setResponse(setting.get, params, { id: '1' });
        return setting;
      },
      undefined,
      Invalid,
      1,
    ],
    [
      'failed, with nothing to show, once it may try again',
      () => new Setting().failed(404).later(ERROR_LENGTH),
      undefined,
      Invalid,
      1,
    ],
    ['failed by the server, with data', () => new Setting().filled().failed(503), 'one', Valid, 0],
    ['failed offline, with data', () => new Setting().filled().failed(0), 'one', Valid, 0],
    ['refused, with data', () => new Setting().filled().failed(403), undefined, Invalid, 0],
    [
      'refused, with data, once it may try again',
      () => new Setting().filled().failed(403).later(ERROR_LENGTH),
      undefined,
      Invalid,
      1,
    ],
    ['failed, with nothing to show', () => new Setting().failed(503), undefined, Invalid, 0],
    [
      'failed softly, once it may try again',
      () => new Setting().filled().failed(503).later(ERROR_LENGTH),
      'one',
      Valid,
      1,
    ],
  ])(
    'getResponse and fetchIfStale treat a read as specified: %s',
    async (_state, setting, title, status, asks) => {
      const made = setting();
      const { data, expiryStatus } = made.controller.getResponse(made.get, params);
      expect([data?.title, expiryStatus]).toEqual([title, status]);
      expect(await made.asked()).toBe(asks);
    },
  );

  it('a stale read with invalidIfStale is InvalidIfStale and is fetched', async () => {
    const setting = new Setting().filled().later(LENGTH);
    const strict = setting.get.extend({ invalidIfStale: true });
    expect(setting.controller.getResponse(strict, params).expiryStatus).toBe(InvalidIfStale);
    expect(await setting.asked(strict)).toBe(1);
  });

  it.each([404, 503, 0])('a failed read without data throws, whatever the status (%i)', (status) => {
    const setting = new Setting().failed(status).later(ERROR_LENGTH - 1);
    expect(setting.controller.view(setting.get, [params]).error).toBeInstanceOf(StatusError);
    setting.later(1);
    expect(setting.controller.view(setting.get, [params]).error).toBeUndefined();
  });

  it('a failed read without data is not requested again, but rejects with the stored error', async () => {
    const { controller, get } = new Setting().failed(404).later(ERROR_LENGTH - 1);
    await expect(controller.fetchIfStale(get, params)).rejects.toBe(controller.getError(get, params));
  });

  it('a read with null args has no data, fetches nothing and does not suspend', () => {
    const setting = new Setting();
    expect(setting.controller.getResponse(setting.get, null)).toMatchObject({
      data: undefined,
      expiryStatus: Valid,
    });
    expect(setting.server.calls).toHaveLength(0);
  });
});
