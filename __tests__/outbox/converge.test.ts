import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import type { Plugin } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import type { Locks } from '../../plugins/outbox/Lease.ts';
import { Device, freshDatabases, type Note, openPage, Server, type Page, type Weather } from './support.ts';

freshDatabases();

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** What happens to two tabs of one app. */
type Event =
  | { readonly kind: 'create' | 'edit' | 'remove'; readonly tab: 0 | 1; readonly which: number }
  | { readonly kind: 'offline' | 'online' }
  | { readonly kind: 'reload'; readonly tab: 0 | 1 }
  | { readonly kind: 'weather'; readonly weather: readonly Weather[] }
  | { readonly kind: 'pass'; readonly time: number }
  | { readonly kind: 'settle' };

const tab = fc.constantFrom<0 | 1>(0, 1);
const which = fc.nat(5);
const trouble = fc.constantFrom<Weather>('fine', 'down', 'lost', 500, 503, 429);
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), tab, which }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('edit' as const, 'remove' as const), tab, which }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('offline' as const, 'online' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload' as const), tab }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('weather' as const),
      weather: fc.array(trouble, { maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), time: fc.constantFrom(0, 1_000, 60_000) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
);

/** What the pages have of the browser. */
interface Setting {
  /** Whether entries lie with the rows, or in a database of the outbox's own. */
  readonly withStorage: boolean;
  /** Whether there are Web Locks, or a lease takes their place. */
  readonly withLocks: boolean;
}

const setting: fc.Arbitrary<Setting> = fc.record({ withStorage: fc.boolean(), withLocks: fc.boolean() });

/** Web Locks of one device. */
class DeviceLocks implements Locks {
  #last: Promise<unknown> = Promise.resolve();

  request(_: string, run: () => Promise<void>): Promise<unknown> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

class World {
  readonly server = new Server();
  readonly device = new Device();
  readonly pages: Page[] = [];
  /** What was asked for, in order; nothing of it may be lost or done twice. */
  readonly asked: string[] = [];
  readonly #setting: Setting;
  readonly #locks = new DeviceLocks();
  #count = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#weather([]);
  }

  async open(place: number): Promise<void> {
    const page = await this.#page([tabs({ name: 'app' })]);
    this.pages[place] = page;
    let isShown = false;
    const shown = (): boolean => (isShown = true);
    page.controller.fetch(page.notes.getList).then(shown, shown);
    await this.#until(() => isShown);
  }

  #page(more: readonly Plugin[]): Promise<Page> {
    const { withStorage, withLocks } = this.#setting;
    const parts = withLocks ? { locks: this.#locks } : {};
    return openPage(this.server, this.device, { withStorage, parts, more });
  }

  async happens(event: Event): Promise<void> {
    switch (event.kind) {
      case 'create':
      case 'edit':
      case 'remove':
        return this.#write(event.kind, this.pages[event.tab]!, event.which);
      case 'offline':
      case 'online':
        this.device.isOnline = event.kind === 'online';
        return;
      case 'reload':
        // What was said to be queued is on disk; the page goes as a page does.
        await this.pages[event.tab]!.leave();
        return this.open(event.tab);
      case 'weather':
        this.#weather([...event.weather]);
        return;
      case 'pass':
        this.device.pass(event.time);
        return;
      case 'settle':
        for (let turns = 0; turns < 20; turns++) await turn();
    }
  }

  /** Everything is fine from now on, until nothing is pending in any tab. */
  async ends(): Promise<void> {
    this.#weather([]);
    this.device.isOnline = false;
    this.device.isOnline = true;
    await this.#until(() => this.pages.every(({ box }) => box.status.get().pending.length === 0));
    for (let turns = 0; turns < 50; turns++) await turn();
  }

  /** Waits until something holds. Requests and disks take no time here, so time passes only where nothing else does. */
  async #until(holds: () => boolean): Promise<void> {
    for (let turns = 1; !holds(); turns++) {
      this.device.pass(turns % 100 === 0 ? 500 : 0);
      if (turns > 5_000)
        throw new Error(`Stuck: ${JSON.stringify(this.pages.map(({ box }) => box.status.get().entries))}`);
      await turn();
    }
  }

  /**
   * What is in the list. Where the answer of a create was lost, a list that was read before it is asked for again has
   * both the server's note and the one still pending; nobody can tell that they are one, and nobody touches the first.
   */
  #shown({ controller, box, notes }: Page): readonly Note[] {
    const twins = new Set(box.status.get().entries.map(({ key }) => this.server.made.get(key)));
    const shown: readonly Note[] = controller.getResponse(notes.getList).data ?? [];
    return shown.filter(({ id }) => !twins.has(Number(id)));
  }

  #weather(each: Weather[]): void {
    this.server.weather = ({ method }) => (method === 'GET' ? 'fine' : (each.shift() ?? 'fine'));
  }

  async #write(kind: 'create' | 'edit' | 'remove', page: Page, which: number): Promise<void> {
    const { controller, notes } = page;
    this.#count += 1;
    // Nobody changes what another has deleted a moment ago: that the server would rightly refuse.
    for (let turns = 0; turns < 20; turns++) await turn();
    const shown = this.#shown(page);
    const note = shown[which % Math.max(1, shown.length)];
    let told: Promise<unknown>;
    if (kind === 'create' || note === undefined) {
      this.asked.push(`create ${this.#count}`);
      told = controller.fetch(notes.create, { text: String(this.#count) });
    } else if (kind === 'edit') {
      this.asked.push(`edit ${this.#count}`);
      told = controller.fetch(notes.partialUpdate, { id: note.id }, { text: String(this.#count) });
    } else {
      this.asked.push(`delete ${note.text}`);
      told = controller.fetch(notes.delete, { id: note.id });
    }
    // Until it is told of, a page that goes may take it along.
    let isTold = false;
    told.then(() => (isTold = true), () => (isTold = true)); // prettier-ignore
    await this.#until(() => isTold);
  }
}

/** How many sequences of events are tried: more, where somebody asks for a longer look. */
const RUNS = Number(process.env['OUTBOX_RUNS'] ?? 60);

describe('two tabs through every trouble', () => {
  it(
    'send each mutation once, in order, lose none, and show the same in the end',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(event, { minLength: 3, maxLength: 25 }),
          setting,
          async (events, setting) => {
            globalThis.indexedDB = new IDBFactory();
            const world = new World(setting);
            try {
              await world.open(0);
              await world.open(1);
              for (const event of events) await world.happens(event);
              await world.ends();
              const [left, right] = world.pages as [Page, Page];
              expect(world.server.done).toEqual(world.asked);
              const stored = [...world.server.notes.values()].map(({ text }) => text).sort();
              expect([...(left.texts() ?? [])].sort()).toEqual(stored);
              expect([...(right.texts() ?? [])].sort()).toEqual(stored);
            } finally {
              await Promise.all(world.pages.map((page) => page.leave()));
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
    RUNS * 1_000,
  );
});
