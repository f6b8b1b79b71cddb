export { default as Dexie, liveQuery } from 'dexie';
