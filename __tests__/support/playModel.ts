import { IDBFactory } from 'fake-indexeddb';
import { holdIdle } from './idle.ts';

/** An app with its server, which checks after each event what it shows. */
interface Model<E> {
  open(): Promise<void>;
  happens(event: E): Promise<void>;
  ends(): Promise<void>;
  close(): Promise<void>;
}

/** Plays a sequence of events on an empty device. */
export async function playModel<E>(model: Model<E>, events: readonly E[]): Promise<void> {
  globalThis.indexedDB = new IDBFactory();
  // What is written in idle time would differ from run to run.
  const release = holdIdle();
  try {
    await model.open();
    for (const each of events) await model.happens(each);
    await model.ends();
  } finally {
    await model.close();
    release();
  }
}
