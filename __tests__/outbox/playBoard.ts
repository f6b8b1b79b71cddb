import { IDBFactory } from 'fake-indexeddb';
import { holdIdle } from '../support/idle.ts';

/** A model of a board in two tabs, which checks after each event what they show. */
interface Board<E> {
  open(): Promise<void>;
  happens(event: E): Promise<void>;
  ends(): Promise<void>;
  close(): Promise<void>;
}

/** Plays a sequence of events on an empty device. */
export async function playBoard<E>(board: Board<E>, events: readonly E[]): Promise<void> {
  globalThis.indexedDB = new IDBFactory();
  // What is written in idle time would differ from run to run.
  const release = holdIdle();
  try {
    await board.open();
    for (const each of events) await board.happens(each);
    await board.ends();
  } finally {
    await board.close();
    release();
  }
}
