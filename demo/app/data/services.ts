import { Controller } from 'holdfast';
import { indexedDB, type IndexedDBPlugin } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { createContext, use, useSyncExternalStore } from 'react';
import { watchConnection, type Connection, type Reachability } from './connection.ts';

export interface Services {
  controller: Controller;
  connection: Connection;
  storage: IndexedDBPlugin;
}

/** Made before React, so that the database is opening while the first render is prepared. */
export function createServices(): Services {
  const connection = watchConnection();
  const name = 'holdfast-demo';
  const storage = indexedDB({ name });
  const controller = new Controller({ plugins: [connection.plugin, storage, tabs({ name })] });
  return { controller, connection, storage };
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);

export function useReachability(): Reachability {
  const connection = use(ConnectionContext);
  if (!connection) throw new Error('useReachability needs a ConnectionContext.');
  return useSyncExternalStore(connection.subscribe, connection.current);
}
