import { describe, expect, it, jest } from '@jest/globals';
import { logout, type LogoutOptions } from 'holdfast';
import { HttpResponse } from 'msw';
import { answer, startServer } from '../support/server.ts';
import { getArticle, getOther, withPlugin } from './withPlugin.ts';

const server = startServer();

/** A server that refuses with this status, and a controller that had data before. */
async function refused(status: number, options: LogoutOptions = {}) {
  const told: unknown[] = [];
  const parts = withPlugin(logout({ onLogout: (error) => told.push(error), ...options }));
  const { controller } = parts;
  answer(server, () => HttpResponse.json({ id: '1' }));
  await controller.fetch(getOther, { id: '1' });
  answer(server, () => HttpResponse.json({}, { status }));
  const isKept = () => controller.getResponse(getOther, { id: '1' }).data !== undefined;
  return { ...parts, told, isKept };
}

describe('logout', () => {
  it('a 401 logs out after the caller’s promise has rejected', async () => {
    const { time, controller, told, isKept } = await refused(401);
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 401 });
    expect(isKept()).toBe(true);
    await time.pass(0);
    expect(isKept()).toBe(false);
    expect(controller.getError(getArticle, { id: '1' })).toBeUndefined();
    expect(told).toMatchObject([{ status: 401 }]);
  });

  it('several refused requests log out once, at a time or later', async () => {
    const { time, controller, told } = await refused(401);
    const outcomes = await Promise.allSettled(
      ['1', '2', '3'].map((id) => controller.fetch(getArticle, { id })),
    );
    expect(outcomes).toMatchObject(outcomes.map(() => ({ reason: { status: 401 } })));
    await time.pass(0);
    // What is still mounted is fetched again at once, and refused.
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 401 });
    await time.pass(0);
    expect(told).toHaveLength(1);
  });

  it('a read that is refused again and again logs out once, although other reads succeed without a login', async () => {
    const { time, controller, told } = await refused(401);
    for (let nth = 0; nth < 3; nth++) {
      // After each reset, a page requests again what it shows.
      answer(server, () => HttpResponse.json({ id: '1' }));
      await controller.fetch(getOther, { id: '1' });
      answer(server, () => HttpResponse.json({}, { status: 401 }));
      await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 401 });
      await time.pass(0);
    }
    expect(told).toHaveLength(1);
    await expect(controller.fetch(getOther, { id: '1' })).rejects.toMatchObject({ status: 401 });
    await time.pass(0);
    expect(told).toHaveLength(2);
  });

  it('a read that was refused before a login logs out if it is refused after it', async () => {
    const { time, controller, told } = await refused(401);
    const refuse = (ids: readonly string[]) =>
      Promise.allSettled(ids.map((id) => controller.fetch(getArticle, { id })));
    await refuse(['1', '2']);
    await time.pass(0);
    answer(server, () => HttpResponse.json({ id: '1' }));
    await controller.fetch(getArticle, { id: '1' });
    answer(server, () => HttpResponse.json({}, { status: 401 }));
    await refuse(['2']);
    await time.pass(0);
    expect(told).toHaveLength(2);
  });

  it('a 401 logs out again after the next log-in', async () => {
    const { time, controller, told } = await refused(401);
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 401 });
    await time.pass(0);
    answer(server, () => HttpResponse.json({ id: '1' }));
    await controller.fetch(getArticle, { id: '1' });
    answer(server, () => HttpResponse.json({}, { status: 401 }));
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 401 });
    await time.pass(0);
    expect(told).toHaveLength(2);
  });

  it('a 401 to a request from before the app’s own reset does not log out the next user', async () => {
    const { time, controller, told, isKept } = await refused(401);
    let respond = (): void => undefined;
    const responds = new Promise<void>((resolve) => (respond = resolve));
    answer(server, async () => {
      await responds;
      return HttpResponse.json({}, { status: 401 });
    });
    const ofLastUser = controller.fetch(getArticle, { id: '1' });
    await controller.reset();
    answer(server, () => HttpResponse.json({ id: '1' }));
    await controller.fetch(getOther, { id: '1' });
    respond();
    await expect(ofLastUser).rejects.toMatchObject({ code: 'HF_RESET' });
    await time.pass(0);
    expect(told).toEqual([]);
    expect(isKept()).toBe(true);
  });

  it('a 401 that arrives after the controller has stopped does not log out who has signed in since', async () => {
    const { time, controller, told } = await refused(401);
    const ofLastUser = controller.fetch(getArticle, { id: '1' });
    await controller.stop();
    await expect(ofLastUser).rejects.toMatchObject({ status: 401 });
    await time.pass(0);
    expect(told).toEqual([]);
  });

  it('a 401 at which the app stops the controller still logs out', async () => {
    const { time, controller, told, isKept } = await refused(401);
    await controller.fetch(getArticle, { id: '1' }).catch(() => controller.stop());
    await time.pass(0);
    expect(told).toHaveLength(1);
    expect(isKept()).toBe(false);
  });

  it('other errors do not log out', async () => {
    const { time, controller, told, isKept } = await refused(403);
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 403 });
    await time.pass(0);
    expect(isKept()).toBe(true);
    expect(told).toEqual([]);
  });

  it.each([419, (error: unknown) => (error as { status?: number }).status === 419])(
    'logout can detect another condition: %s',
    async (when) => {
      const { time, controller, told, isKept } = await refused(419, { when });
      await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 419 });
      await time.pass(0);
      expect(isKept()).toBe(false);
      expect(told).toHaveLength(1);
    },
  );
});

describe('onLogout', () => {
  it('an exception in onLogout is printed', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const fault = new Error('There is no such page');
    const onLogout = (): never => {
      throw fault;
    };
    const { time, controller, isKept } = await refused(401, { onLogout });
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 401 });
    await time.pass(0);
    expect(isKept()).toBe(false);
    expect(printed.mock.calls).toEqual([[fault]]);
    printed.mockRestore();
  });
});

describe('an async predicate', () => {
  it.each([true, false])('an async predicate that resolves to %p decides like another', async (isRefused) => {
    const { time, controller, told, isKept } = await refused(403, { when: () => Promise.resolve(isRefused) });
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 403 });
    await time.pass(0);
    expect(isKept()).toBe(!isRefused);
    expect(told).toHaveLength(isRefused ? 1 : 0);
  });
});
