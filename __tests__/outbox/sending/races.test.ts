import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Commit, SideRecords } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { OutboxDatabase } from '../../../plugins/outbox/storage/OutboxDatabase.ts';
import type { EntryRecord } from '../../../plugins/outbox/storage/record.ts';
import {
  Device,
  freshDatabases,
  openPage,
  pending,
  Server,
  type Page,
  type PageOptions,
  type Weather,
} from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

let server: Server;

beforeEach(() => {
  server = new Server();
});

const DATABASE = 'holdfast-outbox';

/** A database whose reads and writes can be held up. */
class SlowDatabase extends OutboxDatabase {
  reads = 0;
  readsWait: Promise<void> | undefined;
  writesWait: Promise<void> | undefined;

  override async read(): Promise<SideRecords> {
    const records = await super.read();
    this.reads += 1;
    await this.readsWait;
    return records;
  }

  override async write(records: SideRecords): Promise<void> {
    await this.writesWait;
    return super.write(records);
  }
}

function held(): { readonly wait: Promise<void>; letGo: () => void } {
  let letGo = (): void => undefined;
  const wait = new Promise<void>((resolve) => (letGo = resolve));
  return { wait, letGo };
}

/** A page with a database of the outbox's own. */
async function open(device: Device, options: PageOptions = {}): Promise<Page> {
  const page = await openPage(server, device, { withStorage: false, ...options });
  await page.controller.fetch(page.notes.getList).catch(() => undefined);
  return page;
}

/** Two tabs, of which the second alone has a network. */
async function openTwo(): Promise<{
  readonly left: Page;
  readonly right: Page;
  readonly network: Device;
}> {
  const network = new Device();
  const left = await open(offline(), { more: [tabs({ name: 'app' })] });
  const right = await open(network, { more: [tabs({ name: 'app' })] });
  return { left, right, network };
}

function offline(): Device {
  const device = new Device();
  device.isOnline = false;
  return device;
}

/** What is on disk, as a page that opens now finds it. */
const stored = async (): Promise<Page> => openPage(server, offline(), { withStorage: false });

/** The next mutation is answered by this as soon as it says so. */
function nextAnswer(): { readonly asked: () => boolean; answer: (weather: Weather) => void } {
  let isAsked = false;
  let answer: (weather: Weather) => void = () => undefined;
  const weather = new Promise<Weather>((resolve) => (answer = resolve));
  server.weather = ({ method }) => {
    if (method === 'GET' || isAsked) return 'fine';
    isAsked = true;
    return weather;
  };
  return { asked: () => isAsked, answer };
}

it('drain() sends what an attempt that was under way could not send', async () => {
  const page = await open(new Device());
  const attempt = held();
  let attempts = 0;
  server.weather = async () => {
    attempts += 1;
    if (attempts > 1) return 'fine';
    await attempt.wait;
    return 'down';
  };
  const created = page.controller.fetch(page.notes.create, { text: 'one' });
  await until(() => attempts === 1);
  const drained = page.box.drain();
  attempt.letGo();
  expect(await drained).toBe(true);
  await created;
  expect(server.done).toEqual(['create one']);
});

describe('a reset', () => {
  it('a reset voids a read of the disk that is under way', async () => {
    const device = offline();
    const database = new SlowDatabase(DATABASE);
    const page = await open(device, { parts: { database } });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    const { wait, letGo } = held();
    database.readsWait = wait;
    const before = database.reads;
    const reading = page.controller.catchUp();
    await until(() => database.reads > before);
    await page.controller.reset();
    letGo();
    await reading;
    expect(page.box.status.get().entries).toEqual([]);
  });

  it('a log-out during a read of the disk loses nothing that is kept until the next sign-in', async () => {
    const device = offline();
    const database = new SlowDatabase(DATABASE);
    const page = await open(device, { parts: { database } });
    await page.controller.fetch(page.notes.create, { text: 'one' });
    const { wait, letGo } = held();
    database.readsWait = wait;
    const before = database.reads;
    const reading = page.controller.catchUp();
    await until(() => database.reads > before);
    await page.controller.reset({ unsent: 'keep' });
    letGo();
    await reading;
    await page.box.resume();
    expect(pending(page)).toEqual(['Note.create']);
  });

  it('a reset voids an attempt while init is pending', async () => {
    const { wait, letGo } = held();
    const device = new Device();
    let isAsked = false;
    const page = await open(device, {
      init: async () => {
        isAsked = true;
        await wait;
        return {};
      },
    });
    const rejected = expect(page.controller.fetch(page.notes.create, { text: 'one' })).rejects.toMatchObject({
      code: 'HF_RESET',
    });
    await until(() => isAsked);
    await page.controller.reset();
    letGo();
    await rejected;
    await page.box.drain();
    expect(server.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('a reset in another tab discards changes that this tab has not written yet', async () => {
    const page = await open(offline());
    void page.controller.fetch(page.notes.create, { text: 'one' }).catch(() => undefined);
    await page.controller.reset({ origin: 'tabs' });
    await page.controller.flush();
    expect((await stored()).box.status.get().entries).toEqual([]);
  });

  it('a reset in another tab makes this tab ignore the disk until it is emptied', async () => {
    const page = await open(offline());
    await page.controller.fetch(page.notes.create, { text: 'one' });
    await page.controller.reset({ origin: 'tabs' });
    await page.controller.catchUp();
    expect(page.box.status.get().entries).toEqual([]);
  });

  it('a reset voids the writes of a tab that has not seen it, and nothing later', async () => {
    const device = offline();
    const frozen = await open(device);
    await frozen.controller.fetch(frozen.notes.create, { text: 'one' });
    const page = await open(device);
    await page.controller.reset();
    frozen.box.edit(frozen.box.status.get().pending[0]!.key, [{ text: 'one, edited' }]);
    await frozen.controller.flush();
    expect((await stored()).box.status.get().entries).toEqual([]);
    await page.controller.fetch(page.notes.create, { text: 'two' });
    expect((await stored()).box.status.get().entries).toMatchObject([{ args: [{ text: 'two' }] }]);
  });
});

describe('changes that another tab has broadcast', () => {
  it('a mutation of another tab is neither sent nor dropped before that tab has stored it', async () => {
    const network = new Device();
    const database = new SlowDatabase(DATABASE);
    const { wait, letGo } = held();
    database.writesWait = wait;
    const left = await open(offline(), { parts: { database }, more: [tabs({ name: 'app' })] });
    const seen = new SlowDatabase(DATABASE);
    const right = await open(network, { parts: { database: seen }, more: [tabs({ name: 'app' })] });
    const before = seen.reads;
    void left.controller.fetch(left.notes.create, { text: 'one' });
    await until(() => pending(right).length === 1 && seen.reads > before);
    await right.controller.catchUp();
    expect(pending(right)).toEqual(['Note.create']);
    expect(server.done).toEqual([]);
    letGo();
    await until(() => (network.pass(100), pending(right).length === 0));
    expect(server.done).toEqual(['create one']);
  });

  it('a mutation of a tab that died before it stored it is dropped', async () => {
    const network = new Device();
    const database = new SlowDatabase(DATABASE);
    const { wait, letGo } = held();
    database.writesWait = wait;
    const left = await open(offline(), { parts: { database }, more: [tabs({ name: 'app' })] });
    const right = await open(network, { more: [tabs({ name: 'app' })] });
    void left.controller.fetch(left.notes.create, { text: 'one' });
    await until(() => pending(right).length === 1);
    await until(() => (network.pass(100), pending(right).length === 0));
    expect(server.done).toEqual([]);
    expect(right.texts()).toEqual([]);
    letGo();
  });
});

describe('a tab changes a mutation that another tab is sending', () => {
  it('a mutation discarded while another tab sends it is retried in no tab', async () => {
    const { left, right } = await openTwo();
    const { asked, answer } = nextAnswer();
    void right.controller.fetch(right.notes.create, { text: 'one' }).catch(() => undefined);
    await until(() => asked() && pending(left).length === 1);
    expect(left.box.discard(left.box.status.get().pending[0]!.key)).toBe(true);
    await left.controller.flush();
    answer('down');
    await until(() => pending(right).length === 0);
    await right.controller.flush();
    expect((await stored()).box.status.get().entries).toEqual([]);
    expect(server.done).toEqual([]);
  });

  it('a mutation edited while another tab sends it is sent with the edit next', async () => {
    server.notes.set('1', { id: 1, text: 'zero' });
    const { left, right } = await openTwo();
    const { asked, answer } = nextAnswer();
    void right.controller.fetch(right.notes.partialUpdate, { id: 1 }, { text: 'one' });
    await until(() => asked() && pending(left).length === 1);
    const { key } = left.box.status.get().pending[0]!;
    expect(left.box.edit(key, [{ id: 1 }, { text: 'two' }])).toBe(true);
    await until(() => JSON.stringify(right.box.status.get().pending).includes('two'));
    answer('fine');
    await until(() => pending(right).length === 0 && pending(left).length === 0);
    expect(server.done).toEqual(['edit one', 'edit two']);
    expect([left.texts(), right.texts()]).toEqual([['two'], ['two']]);
  });

  it('an edit of a create that another tab is sending is a dead letter, since it would create a second one', async () => {
    const { left, right } = await openTwo();
    const { asked, answer } = nextAnswer();
    void right.controller.fetch(right.notes.create, { text: 'one' });
    await until(() => asked() && pending(left).length === 1);
    const { key } = left.box.status.get().pending[0]!;
    left.box.edit(key, [{ text: 'two' }]);
    await until(() => JSON.stringify(right.box.status.get().pending).includes('two'));
    answer('fine');
    await until(() => left.box.status.get().failed.length === 1);
    expect(server.done).toEqual(['create one']);
    expect(right.box.status.get().failed).toMatchObject([{ args: [{ text: 'two' }] }]);
    expect([left.texts(), right.texts()]).toEqual([['one'], ['one']]);
  });

  it('two tabs that edit a mutation at once agree on one edit', async () => {
    const [left, right] = await Promise.all(
      [1, 2].map(() => open(offline(), { more: [tabs({ name: 'app' })] })),
    );
    await left!.controller.fetch(left!.notes.create, { text: 'one' });
    await until(() => pending(right!).length === 1);
    const { key } = left!.box.status.get().pending[0]!;
    left!.box.edit(key, [{ text: 'left' }]);
    right!.box.edit(key, [{ text: 'right' }]);
    const args = (page: Page) => JSON.stringify(page.box.status.get().pending.map((entry) => entry.args));
    await until(() => args(left!) === args(right!));
    await Promise.all([left!.controller.flush(), right!.controller.flush()]);
    expect(args(await stored())).toBe(args(left!));
  });

  it('an edit at the moment the attempt fails reaches both tabs and the disk', async () => {
    const { left, right, network } = await openTwo();
    const { asked, answer } = nextAnswer();
    void right.controller.fetch(right.notes.create, { text: 'one' });
    await until(() => asked() && pending(left).length === 1);
    left.box.edit(left.box.status.get().pending[0]!.key, [{ text: 'two' }]);
    answer('down');
    network.isOnline = false;
    const hasEdit = ({ box }: Page) => JSON.stringify(box.status.get().pending).includes('two');
    await until(() => hasEdit(left) && hasEdit(right));
    await Promise.all([left.controller.flush(), right.controller.flush()]);
    expect(hasEdit(await stored())).toBe(true);
    network.isOnline = true;
    await until(() => (network.pass(500), pending(right).length === 0));
    expect(server.done).toEqual(['create two']);
  });
});

describe('what another tab announces of a mutation never takes its change off the screen', () => {
  /** Two tabs that show a note, and each version of the list that they show. */
  async function watched() {
    server.notes.set('7', { id: 7, text: 'zero' });
    const { left, right, network } = await openTwo();
    const shown = [left, right].map(({ controller, notes, texts }) => {
      const versions: string[] = [];
      controller.watch(notes.getList, () => versions.push(String(texts())));
      return versions;
    });
    return { left, right, network, shown };
  }

  it.each<Weather>(['lost', 503])('an attempt that has failed (%s)', async (weather) => {
    const { left, right, network, shown } = await watched();
    const each: Weather[] = [weather, weather];
    server.weather = ({ method }) => (method === 'GET' ? 'fine' : (each.shift() ?? 'fine'));
    await left.controller.fetch(left.notes.partialUpdate, { id: 7 }, { text: 'one' });
    await until(() => (network.pass(500), pending(left).length === 0));
    expect(server.done).toEqual(['edit one']);
    expect(right.texts()).toEqual(['one']);
    expect(shown).toEqual([['one'], ['one']]);
  });

  it('an edit', async () => {
    const { left, right, network, shown } = await watched();
    network.isOnline = false;
    await right.controller.fetch(right.notes.partialUpdate, { id: 7 }, { text: 'one' });
    await until(() => pending(left).length === 1);
    left.box.edit(left.box.status.get().pending[0]!.key, [{ id: 7 }, { text: 'two' }]);
    await until(() => String(right.texts()) === 'two');
    expect(shown).toEqual([
      ['one', 'two'],
      ['one', 'two'],
    ]);
  });

  it('the pk of a created note that it edits', async () => {
    const { left, network, shown } = await watched();
    network.isOnline = false;
    const note = await left.controller.fetch(left.notes.create, { text: 'one' });
    await left.controller.fetch(left.notes.partialUpdate, { id: note.id }, { text: 'two' });
    network.isOnline = true;
    await until(() => pending(left).length === 0);
    const kept = shown.map((versions) => versions.filter((version, at) => version !== versions[at - 1]));
    expect(kept).toEqual([
      ['zero,one', 'zero,two'],
      ['zero,one', 'zero,two'],
    ]);
  });
});

describe('a caller waits for a mutation that another tab sends', () => {
  /** Calls two, of which the first is never answered; gives the promise and the record of the second. */
  async function waiting() {
    const sides: Commit['side'][] = [];
    const page = await open(new Device(), {
      more: [{ name: 'notes', commit: ({ side }) => void sides.push(side) }],
    });
    server.weather = ({ method }) => (method === 'GET' ? 'fine' : new Promise(() => undefined));
    void page.controller.fetch(page.notes.create, { text: 'one' }).catch(() => undefined);
    const fetched = page.controller.fetch(page.notes.create, { text: 'two' });
    const [key, record] = sides.flatMap((side) => side['outbox'] ?? []).at(-1)!;
    const hears = (records: SideRecords) =>
      page.controller.apply({ rows: [], results: [] }, { origin: 'tabs', side: { outbox: records } });
    return { page, fetched, hears, key, record: record as EntryRecord };
  }

  it('a caller gets the result of a mutation that another tab sends', async () => {
    const { page, fetched, hears, key, record } = await waiting();
    page.controller.set(page.notes.get.schema, { id: 7 }, { id: 7, text: 'two, answered' });
    const { temporaryPk, idempotencyKey } = record;
    const at = 1_750_000_000_000;
    const move = { table: 'Note', pk: '7', shownPk: temporaryPk, id: 7, ids: {}, idempotencyKey, at };
    hears([
      [key, undefined],
      [`moved ${temporaryPk}`, move],
    ]);
    expect(await fetched).toMatchObject({ id: 7, text: 'two, answered' });
  });

  it('a caller gets the rejection of a mutation that another tab sends; it is not a dead letter then', async () => {
    const { page, fetched, hears, key, record } = await waiting();
    const problem = { reason: 'rejected', status: 422, message: 'No' };
    hears([[key, { ...record, revision: record.revision + 1, status: 'failed', problem }]]);
    await expect(fetched).rejects.toMatchObject({ status: 422 });
    expect(page.box.status.get().failed).toEqual([]);
  });
});
