import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Plugin } from 'holdfast';
import type { Pacing } from '../../../plugins/outbox/queue/LayerReplay.ts';
import {
  Device,
  freshDatabases,
  Note,
  makePage,
  openPage,
  pending,
  Server,
  type Page,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';
import { silently } from '../../support/silently.ts';

freshDatabases();

const CREATES = 300;

let server: Server;
let device: Device;
/** What the list showed when the page before was left. */
let before: (string | undefined)[] | undefined;

beforeEach(async () => {
  server = new Server();
  device = new Device();
  const page = await openPage(server, device);
  await page.controller.fetch(page.notes.getList);
  device.isOnline = false;
  let first: number | string = '';
  for (let place = 0; place < CREATES; place++) {
    const create = page.controller.fetch(page.notes.create, { text: String(place) });
    if (place === 0) first = (await create).id;
  }
  await page.controller.fetch(page.notes.partialUpdate, { id: first }, { text: 'edited' });
  await page.controller.flush();
  before = page.texts();
  await page.leave();
  device.pass(1);
});

/** Opens the page again, and holds what it does there after each part of the queue that it shows. */
function reload(options: { readonly more?: readonly Plugin[] } = {}) {
  /** What continues after the pauses: two reads of the disk may be under way. */
  const paused: (() => void)[] = [];
  const pacing: Pacing = { size: 100, pause: () => new Promise((resolve) => void paused.push(resolve)) };
  const go = (): void => paused.splice(0).forEach((resume) => resume());
  const page = makePage(server, device, { ...options, parts: { pacing } });
  /** Continues until a condition is met. */
  const goUntil = (condition: () => boolean): Promise<void> =>
    until(() => {
      const isMet = condition();
      if (!isMet) go();
      return isMet;
    });
  const firstPart = (): Promise<void> => goUntil(() => shown(page) > 0);
  const finish = async (): Promise<void> => {
    let isReady = false;
    void page.controller.ready.then(() => (isReady = true));
    await goUntil(() => isReady);
  };
  return { page, goUntil, firstPart, finish };
}

/** Reads the list as it is in memory, whatever waits. */
const shown = ({ box, controller }: Page): number =>
  box.status.get().entries.filter(({ temporaryPk }) => controller.getState().tables['Note']?.get(temporaryPk))
    .length;

describe('a long queue after a reload', () => {
  it('a long queue after a reload is shown in parts, each a commit of its own, and then as before', async () => {
    const sizes: number[] = [];
    const more: Plugin[] = [
      {
        name: 'sizes',
        commit: ({ headChanges, origin }) => {
          if (origin !== 'indexeddb') sizes.push(headChanges.rows.get('Note')?.size ?? 0);
        },
      },
    ];
    const { page, finish } = reload({ more });
    await finish();
    expect(Math.max(...sizes)).toBe(100);
    expect((await page.controller.fetchIfStale(page.notes.getList)).map(({ text }) => text)).toEqual(before);
    await page.leave();
  });

  it('a long queue is read in parts, with one notification for each, and a page that is left in between loses none of it', async () => {
    const { page, goUntil } = reload();
    const counts: number[] = [];
    page.box.status.subscribe(() => counts.push(page.box.status.get().entries.length));
    await goUntil(() => page.box.status.get().entries.length >= 200);
    expect(counts).toEqual([100, 200]);
    await page.leave();
    const next = await openPage(server, device);
    expect((await next.controller.fetchIfStale(next.notes.getList)).map(({ text }) => text)).toEqual(before);
    await next.leave();
  });

  it('a long queue is shown and sent even if a class of the app throws while it is denormalized', async () => {
    const { page, finish } = reload();
    const broken = jest.spyOn(Note, 'validate').mockImplementation(() => {
      throw new Error('A bug of the app');
    });
    await silently(finish);
    expect(shown(page)).toBe(CREATES);
    broken.mockRestore();
    device.isOnline = true;
    page.box.retry(page.box.status.get().entries[0]!.key);
    await until(() => pending(page).length === 0);
    expect(server.done).toHaveLength(CREATES + 1);
    await page.leave();
  });

  it('a mutation that is made while a long queue is read comes after it, even if the clock was set back', async () => {
    device.now -= 1_000_000;
    const { page, goUntil, finish } = reload();
    await goUntil(() => page.box.status.get().entries.length >= 100);
    const create = page.controller.fetch(page.notes.create, { text: 'new' });
    await finish();
    await create;
    expect((await page.controller.fetchIfStale(page.notes.getList)).map(({ text }) => text)).toEqual([
      ...(before ?? []),
      'new',
    ]);
    expect(page.box.status.get().entries.at(-1)?.args).toEqual([{ text: 'new' }]);
    await page.leave();
  });

  it('a mutation that is discarded while a long queue is read is not sent, even if the clock was set back', async () => {
    device.now -= 1_000_000;
    const { page, goUntil, finish } = reload();
    const create = page.controller.fetch(page.notes.create, { text: 'discarded' });
    const rejected = expect(create).rejects.toMatchObject({ code: 'HF_OUTBOX_CANCELLED' });
    await goUntil(() => page.box.status.get().entries.length > 100);
    const discarded = page.box.status
      .get()
      .entries.find(({ args: [body] }) => (body as Note).text === 'discarded')!; // of a creation
    expect(page.box.discard(discarded.key)).toBe(true);
    await rejected;
    await finish();
    expect(page.box.status.get().entries).toHaveLength(CREATES + 1);
    device.isOnline = true;
    await until(() => pending(page).length === 0);
    expect(server.done).toHaveLength(CREATES + 1);
    expect(server.done).not.toContain('create discarded');
    await page.leave();
  });

  it('a long queue is not sent before it is shown completely, and no read is notified of a part of it', async () => {
    device.isOnline = true;
    const { page, firstPart, finish } = reload();
    let read: (string | undefined)[] | undefined;
    void Promise.resolve(page.controller.fetchIfStale(page.notes.getList)).then((list) => {
      read = list.map(({ text }) => text);
    });
    await firstPart();
    page.box.retry(page.box.status.get().entries[0]!.key);
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setTimeout(resolve));
    expect(shown(page)).toBeLessThan(CREATES);
    expect(server.done).toEqual([]);
    expect(read).toBeUndefined();
    await finish();
    await until(() => read !== undefined);
    expect(read).toEqual(before);
    await until(() => pending(page).length === 0);
    const creates = Array.from({ length: CREATES }, (_, place) => `create ${place}`);
    expect(server.done).toEqual([...creates, 'edit edited']);
    expect([...(page.texts() ?? [])].sort()).toEqual([...(before ?? [])].sort());
    await page.leave();
  });

  it('a long queue comes before mutations that are made during its replay', async () => {
    const { page, firstPart, finish } = reload();
    await firstPart();
    const first = page.box.status.get().entries[0]!.temporaryPk;
    const edit = page.controller.fetch(page.notes.partialUpdate, { id: first }, { text: 'edited again' });
    const create = page.controller.fetch(page.notes.create, { text: 'new' });
    await finish();
    await Promise.all([edit, create]);
    expect((await page.controller.fetchIfStale(page.notes.getList)).map(({ text }) => text)).toEqual([
      'edited again',
      ...(before ?? []).slice(1),
      'new',
    ]);
    await page.leave();
  });

  it('a long queue after a reload is gone after a reset while it is being shown', async () => {
    const { page, firstPart, finish } = reload();
    await firstPart();
    await page.controller.reset();
    await finish();
    expect(page.controller.getState().tables).toEqual({});
    expect(page.box.status.get().entries).toEqual([]);
    await page.leave();
    const next = await openPage(server, device);
    expect(next.box.status.get().entries).toEqual([]);
  });

  it('a long queue after a reload is shown no further once the controller is stopped, and kept', async () => {
    const { page, firstPart, finish } = reload();
    await firstPart();
    await page.leave();
    await finish();
    expect(shown(page)).toBe(100);
    const next = await openPage(server, device);
    expect((await next.controller.fetchIfStale(next.notes.getList)).map(({ text }) => text)).toEqual(before);
  });
});

it('a mutation that is found while the outbox sends is sent once it is shown, with the pks of earlier responses', async () => {
  let answer: () => void = () => undefined;
  let go: () => void = () => undefined;
  const pacing: Pacing = { size: 1, pause: () => new Promise((resolve) => (go = resolve)) };
  const page = makePage(server, device, { parts: { pacing } });
  let isReady = false;
  void page.controller.ready.then(() => (isReady = true));
  await until(() => {
    go();
    return isReady;
  });
  for (const { key } of page.box.status.get().entries) page.box.discard(key);
  server.weather = () => new Promise((resolve) => (answer = () => resolve('fine')));
  device.isOnline = true;
  const first = page.controller.fetch(page.notes.create, { text: 'first' });
  await until(() => page.box.status.get().sending.length === 1);

  const away = new Device();
  away.now = device.now + 1;
  away.isOnline = false;
  const other = await openPage(server, away);
  const made = [];
  for (const text of ['one', 'two']) made.push(await other.controller.fetch(other.notes.create, { text }));
  await other.controller.fetch(other.notes.partialUpdate, { id: made[1]!.id }, { text: 'edited' });
  await other.leave();

  const caughtUp = page.controller.catchUp();
  await until(() => {
    const isFound = page.box.status.get().entries.length === 4;
    if (!isFound) go();
    return isFound;
  });
  server.weather = () => 'fine';
  answer();
  await first;
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setTimeout(resolve));
  expect(server.done).not.toContain('create two');
  let isCaughtUp = false;
  void caughtUp.then(() => (isCaughtUp = true));
  await until(() => {
    go();
    return isCaughtUp && page.box.status.get().entries.length === 0;
  });
  expect(server.done).toEqual(['create first', 'create one', 'create two', 'edit edited']);
  expect(page.controller.get(Note, { id: made[1]!.id })).toMatchObject({ id: 3, text: 'edited' });
  await page.leave();
});
