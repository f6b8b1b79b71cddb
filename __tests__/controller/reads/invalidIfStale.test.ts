import { describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity, ExpiryStatus } from 'holdfast';
import { FakeTime } from '../../support/fakeTime.ts';

class Quote extends Entity {
  id = '';
  price = 0;
  static override key = 'Quote';
}

/** An answered read of an endpoint that does not want stale data shown, ten seconds before it is stale. */
async function answered() {
  const time = new FakeTime();
  const controller = new Controller({ now: time.now, schedule: time.schedule });
  let price = 0;
  const getQuote = new Endpoint(
    async ({ id }: { id: string }): Promise<unknown> => ({ id, price: (price += 1) }),
    { name: 'getQuote', schema: Quote, dataExpiryLength: 10_000, invalidIfStale: true },
  );
  const args = { id: 'a' };
  await controller.fetch(getQuote, args);
  return { time, controller, getQuote, args };
}

describe('invalidIfStale', () => {
  it('a read with invalidIfStale is like any other while fresh', async () => {
    const { time, controller, getQuote, args } = await answered();
    time.jump(9_999);
    expect(controller.getResponse(getQuote, args)).toMatchObject({
      data: { price: 1 },
      expiryStatus: ExpiryStatus.Valid,
    });
    expect(controller.fetchIfStale(getQuote, args)).toMatchObject({ price: 1 });
  });

  it('a stale read with invalidIfStale returns no data, though its status reports data', async () => {
    const { time, controller, getQuote, args } = await answered();
    time.jump(10_000);
    const { data, expiryStatus, expiresAt } = controller.getResponse(getQuote, args);
    expect({ data, expiryStatus }).toEqual({ data: undefined, expiryStatus: ExpiryStatus.InvalidIfStale });
    expect(expiresAt).toBe(time.now());
  });

  it('fetchIfStale fetches a stale read with invalidIfStale, and shows it when it has arrived', async () => {
    const { time, controller, getQuote, args } = await answered();
    time.jump(10_000);
    expect(await controller.fetchIfStale(getQuote, args)).toMatchObject({ price: 2 });
    expect(controller.getResponse(getQuote, args).data).toMatchObject({ price: 2 });
  });

  it('watchers of a read with invalidIfStale receive no stale data', async () => {
    const { time, controller, getQuote, args } = await answered();
    const seen: (number | undefined)[] = [];
    controller.watch(getQuote, args, (quote) => seen.push(quote?.price));
    controller.set(Quote, args, { price: 10 });
    time.jump(10_000);
    controller.set(Quote, args, { price: 11 });
    await controller.fetch(getQuote, args);
    expect(seen).toEqual([10, undefined, 2]);
  });

  it('invalidIfStale affects neither other endpoints of the key nor the rows', async () => {
    const { time, controller, getQuote, args } = await answered();
    time.jump(10_000);
    expect(controller.getResponse(getQuote.extend({ invalidIfStale: false }), args).data).toMatchObject({
      price: 1,
    });
    expect(controller.get(Quote, args)).toMatchObject({ price: 1 });
  });

  it('data with invalidIfStale also becomes stale by expireAll', async () => {
    const { controller, getQuote, args } = await answered();
    controller.expireAll(getQuote);
    expect(controller.getResponse(getQuote, args).data).toBeUndefined();
  });
});

describe('fetchIfStale', () => {
  it('fetchIfStale returns stale data of other endpoints only as a promise of newer data', async () => {
    const { time, controller, getQuote, args } = await answered();
    const lenient = getQuote.extend({ invalidIfStale: false });
    time.jump(10_000);
    const given = controller.fetchIfStale(lenient, args);
    expect(given).toBeInstanceOf(Promise);
    expect(await given).toMatchObject({ price: 2 });
  });
});
