export { indexedDB } from './indexedDB.ts';
export type { IndexedDBOptions, IndexedDBPlugin } from './IndexedDBOptions.ts';
export { memoryStorage } from './MemoryStorage.ts';
export type { Codec } from './Codec.ts';
export type { Migrate } from './migration.ts';
export type { Persist, Persistable } from './persisted.ts';
export type { StorageEstimate } from './browserStorage.ts';
export type { StorageStatus } from './Status.ts';
export type { SideRecords } from 'holdfast';
