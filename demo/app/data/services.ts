import { Controller, reachability, type Plugin, type Reachability, type ReachabilityPlugin } from 'holdfast';
import type { IndexedDBPlugin } from 'holdfast/indexeddb';
import type { OutboxPlugin } from 'holdfast/outbox';
import { useStatus } from 'holdfast/react';
import { createContext, use } from 'react';
import { api } from '../model/api.ts';
import { currentPerson } from '../session/session.ts';
import { createPlugins } from './plugins.ts';

export interface Services {
  controller: Controller;
  connection: ReachabilityPlugin;
  storage: IndexedDBPlugin;
  queue: OutboxPlugin;
}

/**
 * Made before React, so that the database is opening while the first render is prepared.
 *
 * @param person - the id of who is signed in
 * @param nearest - plugins that see what really goes over the network
 */
export function createServices(person: string, nearest: readonly Plugin[]): Services {
  const connection = reachability({ url: `${api}/health` });
  const { storage, queue, all } = createPlugins(person, currentPerson, [connection], 'progressive');
  return { controller: new Controller({ plugins: [...all, ...nearest] }), connection, storage, queue };
}

export const ConnectionContext = createContext<ReachabilityPlugin | undefined>(undefined);

export function useConnection(): ReachabilityPlugin {
  const connection = use(ConnectionContext);
  if (!connection) throw new Error('useConnection needs a ConnectionContext.');
  return connection;
}

export function useReachability(): Reachability {
  return useStatus(useConnection().status);
}
