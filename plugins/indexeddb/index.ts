export { indexedDB, type IndexedDBOptions, type IndexedDBPlugin } from './indexedDB.ts';
export type { Persist, Persistable } from './persisted.ts';
export type { SideRecords } from './side.ts';
