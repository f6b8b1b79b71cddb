import type { Plugin } from 'holdfast';
import { indexedDB, type IndexedDBPlugin } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { CommentResource } from '../model/Comment.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { resolveConflict } from './resolveConflict.ts';
import { serverWords } from './serverWords.ts';

const name = 'holdfast-demo';

export interface Plugins {
  readonly storage: IndexedDBPlugin;
  readonly queue: OutboxPlugin;
  readonly all: readonly Plugin[];
}

/**
 * The plugins that keep data on the device, queue mutations until the server has them, and sync all tabs. Each person
 * has a database, a queue and a channel of their own.
 *
 * @param person - the id of who is signed in
 * @param currentPerson - who is signed in now: nothing is sent once that is another person
 * @param between - of what is near the network: it sees each request that is really made
 * @param restore - whether all stored data is loaded into memory, or only data that is read
 */
export function createPlugins(
  person: string,
  currentPerson: () => string | undefined,
  between: readonly Plugin[],
  restore: 'progressive' | 'lazy',
): Plugins {
  const storage = indexedDB({ name, scope: person, restore });
  const queue = outbox({
    name,
    scope: person,
    currentScope: currentPerson,
    endpoints: [IssueResource, CommentResource],
    onConflict: resolveConflict,
  });
  return { storage, queue, all: [storage, queue, ...between, serverWords, tabs({ name, scope: person })] };
}
