import { adapter } from 'adapter';
import { changeOf, makeRows, rowId } from '../../../data.mjs';
import { LIST } from '../Adapter.mjs';

/** What `run.mjs` checks before anything is timed. */
export const work = {
  title: () => adapter.title,

  /** Stores, and changes one row of each list, for `readBack` to find in a later page. */
  async prepareCheck(size) {
    await adapter.fill(makeRows(size));
    await adapter.storeAll();
    for (let list = 0; list * LIST < size; list++)
      await adapter.changeOne(rowId(list * LIST + 7), changeOf(list));
    await adapter.settle?.();
  },

  /** Every list, each as the first screen of this page would read it. */
  async readBack(size) {
    const lists = [];
    for (let list = 0; list * LIST < size; list++) lists.push(await adapter.firstScreen(list));
    return JSON.parse(JSON.stringify(lists));
  },

  count: () => adapter.loadAll(),
};
