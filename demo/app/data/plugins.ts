import type { Plugin } from 'holdfast';
import { indexedDB, type IndexedDBPlugin } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { CommentResource } from '../model/Comment.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { resolveConflict } from './resolveConflict.ts';
import { serverWords } from './serverWords.ts';

/** What pages and the service worker share on a device: both must name it alike. */
const name = 'holdfast-demo';

export interface Plugins {
  readonly storage: IndexedDBPlugin;
  readonly queue: OutboxPlugin;
  readonly all: readonly Plugin[];
}

/**
 * The plugins that keep data on the device, queue mutations until the server has them, and sync all tabs.
 *
 * @param between - of what is near the network: it sees each request that is really made
 * @param restore - whether all stored data is loaded into memory, or only data that is read
 */
export function createPlugins(between: readonly Plugin[], restore: 'progressive' | 'lazy'): Plugins {
  const storage = indexedDB({ name, restore });
  const queue = outbox({ name, endpoints: [IssueResource, CommentResource], onConflict: resolveConflict });
  return { storage, queue, all: [storage, queue, ...between, serverWords, tabs({ name })] };
}

/** The background sync that the outbox asks for. */
export const syncTag = name;
