import { useStatus } from 'holdfast/react';
import type { IndexedDBPlugin, StorageStatus } from 'holdfast/indexeddb';
import { createContext, use } from 'react';

export const StorageContext = createContext<IndexedDBPlugin | undefined>(undefined);

export function useStorage(): IndexedDBPlugin {
  const storage = use(StorageContext);
  if (!storage) throw new Error('useStorage needs a StorageContext.');
  return storage;
}

export function useStorageStatus(): StorageStatus {
  return useStatus(useStorage().status);
}
