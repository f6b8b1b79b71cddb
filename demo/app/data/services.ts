import { Controller } from 'holdfast';
import type { IndexedDBPlugin } from 'holdfast/indexeddb';
import type { OutboxPlugin } from 'holdfast/outbox';
import { createContext, use, useSyncExternalStore } from 'react';
import { watchConnection, type Connection, type Reachability } from './connection.ts';
import { createPlugins } from './plugins.ts';

export interface Services {
  controller: Controller;
  connection: Connection;
  storage: IndexedDBPlugin;
  queue: OutboxPlugin;
}

/** Made before React, so that the database is opening while the first render is prepared. */
export function createServices(): Services {
  const connection = watchConnection();
  const { storage, queue, all } = createPlugins([connection.plugin], 'progressive');
  const controller = new Controller({ plugins: all, environment: connection.environment });
  return { controller, connection, storage, queue };
}

export const ConnectionContext = createContext<Connection | undefined>(undefined);

export function useConnection(): Connection {
  const connection = use(ConnectionContext);
  if (!connection) throw new Error('useConnection needs a ConnectionContext.');
  return connection;
}

export function useReachability(): Reachability {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.current);
}
