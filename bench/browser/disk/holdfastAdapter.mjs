import { Controller, Endpoint, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { DATABASE, LIST } from './Adapter.mjs';

class Row extends Entity {
  id = '';
  static key = 'Row';
}
const getList = new Endpoint(
  () => {
    throw new Error('nothing is asked of the network here');
  },
  { name: 'getList', schema: [Row], dataExpiryLength: Infinity },
);

const loggedRecords = () =>
  new Promise((resolve, reject) => {
    const opening = globalThis.indexedDB.open(DATABASE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('log').objectStore('log').count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  });

/**
 * @param {string} title
 * @param {Partial<import('holdfast/indexeddb').IndexedDBOptions>} [options] - of the plugin
 * @returns {import('./Adapter.mjs').Adapter}
 */
export function makeAdapter(title, options) {
  let controller;
  const open = () =>
    (controller ??= new Controller({ plugins: [indexedDB({ name: DATABASE, ...options })] }));
  return {
    title,
    async fill(rows) {
      await open().ready;
      controller.batch(() => {
        for (let list = 0; list * LIST < rows.length; list++)
          controller.setResponse(getList, { list }, rows.slice(list * LIST, (list + 1) * LIST));
      });
    },
    storeAll: () => controller.flush(),
    // A log that is still being folded gets shorter.
    async settle() {
      for (let before = -1, still = 0; still < 4;) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        const records = await loggedRecords();
        still = records === before ? still + 1 : 0;
        before = records;
      }
    },
    async changeOne(id, change) {
      controller.set(Row, { id }, change);
      await controller.flush();
    },
    async loadAll() {
      await open().restored;
      return controller.getState().tables.Row.size;
    },
    show(list) {
      open().watch(getList, { list }, () => undefined);
      return controller.fetchIfStale(getList, { list });
    },
    firstScreen: (list) => open().fetchIfStale(getList, { list }),
  };
}
