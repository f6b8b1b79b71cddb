export { indexedDB } from './indexedDB.ts';
export type { IndexedDBOptions, IndexedDBPlugin } from './IndexedDBOptions.ts';
export { memoryStorage } from './storage/MemoryStorage.ts';
export type { Codec } from './records/Codec.ts';
export type { Migrate } from './maintenance/migration.ts';
export type { Persist, Persistable } from './writing/persisted.ts';
export type { StorageEstimate } from './storage/browserStorage.ts';
export type { StorageStatus } from './Status.ts';
export type { SideRecords } from 'holdfast';
