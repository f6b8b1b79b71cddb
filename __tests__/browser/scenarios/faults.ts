import { Controller, createResource, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { Note } from '../../support/entities.ts';

const NoteResource = createResource({
  path: '/notes/:id',
  schema: Note,
  dataExpiryLength: Infinity,
  optimistic: true,
});

const withStorage = !location.search.includes('alone');
const problems: string[] = [];
const onError = (error: HoldfastError): void => void problems.push(error.message);
const storage = indexedDB({ name: 'faults', onError });
const queue = outbox({ endpoints: [NoteResource], onError });
const controller = new Controller({ plugins: withStorage ? [storage, queue] : [queue] });

/** Rejects where something would never settle: long before the test times out, with the name of what does not. */
async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const fail = async (): Promise<void> => {
      const { state } = queue.status.get();
      const entries = queue.status.get().entries.map(({ status, attempts }) => `${status} ${attempts}`);
      const locks = await navigator.locks.query();
      reject(new Error(`${what} does not settle: ${JSON.stringify({ state, entries, locks, problems })}`));
    };
    timer = setTimeout(() => void fail(), 60_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function noise(bytes: number): string {
  const numbers = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)));
  let text = '';
  for (let at = 0; at < bytes; at++) text += String.fromCharCode(33 + ((numbers[at % 65_536] ?? 0) % 90));
  return text;
}

/** Values that `structuredClone` accepts and IndexedDB does not, by the id of the note that contains each. */
const refused: Readonly<Record<string, () => unknown>> = {
  module: () => new WebAssembly.Module(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])),
  videoFrame: () =>
    new VideoFrame(new Uint8Array(64), { format: 'RGBA', codedWidth: 4, codedHeight: 4, timestamp: 0 }),
  videoChunk: () => new EncodedVideoChunk({ type: 'key', timestamp: 0, data: new Uint8Array(1) }),
};

let isWriting = false;
let written = 0;

const page = {
  problems,

  /** Sets and flushes notes until `rest` is called. */
  write(): void {
    isWriting = true;
    void (async () => {
      // Set by `rest` in between.
      while (isWriting as boolean) {
        for (let index = 0; index < 20; index++) {
          const id = `row-${written++ % 200}`;
          controller.set(Note, { id }, { id, text: 'x'.repeat(1_000) });
          controller.setResponse(NoteResource.get, { id }, { id, text: `${written} ${'x'.repeat(1_000)}` });
        }
        controller.flush().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    })();
  },

  /** Stops writing; resolves when all that was written is durable. */
  async rest(): Promise<void> {
    isWriting = false;
    await soon(controller.flush(), 'flush()');
  },

  /** Sets notes with a text that does not compress, of so many bytes each; resolves when they are durable. */
  async store(prefix: string, count: number, bytes: number): Promise<void> {
    for (let nth = 0; nth < count; nth++) {
      const id = `${prefix}-${nth}`;
      controller.setResponse(NoteResource.get, { id }, { id, text: noise(bytes) });
    }
    await soon(controller.flush(), 'flush()');
  },

  /** Sets notes with values that IndexedDB refuses; returns their ids. */
  setRefused(): readonly string[] {
    for (const [id, value] of Object.entries(refused))
      controller.setResponse(NoteResource.get, { id }, { id, text: value() as string }); // as a wrong app does
    return Object.keys(refused);
  },

  flush: (): Promise<void> => soon(controller.flush(), 'flush()'),

  reset: (): Promise<void> => soon(controller.reset(), 'reset()'),

  create(text: string, bytes = 0): void {
    if (bytes > 0) text += noise(bytes);
    controller.fetch(NoteResource.create, { text }).catch(() => undefined);
  },

  /** Creates a note with a value that IndexedDB refuses; resolves with whether that is queued. */
  createdRefused: (): Promise<boolean> => page.created(refused['module']?.() as string), // as a wrong app does

  /** Creates a note with so many more bytes; resolves with whether that is queued, and so durable. */
  created: (text: string, bytes = 0): Promise<boolean> =>
    soon(
      controller.fetch(NoteResource.create, { text: bytes > 0 ? text + noise(bytes) : text }),
      'fetch()',
    ).then(
      () => true,
      () => false,
    ),

  drain: (): Promise<boolean> => soon(queue.drain(), 'drain()'),

  queued(): readonly string[] {
    const { entries } = queue.status.get();
    return entries.map(({ args }) => (args.at(-1) as { readonly text: string }).text);
  },

  /** Ids of the notes in memory. */
  inMemory(): readonly string[] {
    const { tables } = controller.getState();
    return [...(tables['Note']?.entries() ?? [])].filter(([, { value }]) => value).map(([pk]) => pk);
  },

  /** Ids of the notes that a new start finds. */
  async restored(): Promise<readonly string[]> {
    await soon(controller.restored, 'restored');
    return page.inMemory();
  },

  state: () => storage.status.get().state,
};
Object.assign(window, { faults: page });
export type FaultsPage = typeof page;
