import { changeOf, makeRows, rowId } from '../data.mjs';
import { adapter } from 'adapter';
import { CHANGES, LIST, WARM_UP } from './Adapter.mjs';

/** Times `run`, and marks it in the trace. */
async function timed(run) {
  // What came before is not part of the first task.
  await new Promise((resolve) => setTimeout(resolve, 0));
  performance.mark('bench:start');
  const start = performance.now();
  const result = await run();
  const ms = performance.now() - start;
  performance.mark('bench:end');
  return { ms, result };
}

/** The work, as `run.mjs` asks for it. What is timed gives its times in ms; what it checks, it throws about. */
const work = {
  async storeAll(size) {
    await adapter.fill(makeRows(size));
    return [(await timed(() => adapter.storeAll())).ms];
  },

  async settle() {
    return [(await timed(() => adapter.settle?.())).ms];
  },

  async changeOne(size) {
    const times = [];
    await adapter.loadAll();
    await adapter.settle?.();
    for (let nth = 0; nth < WARM_UP + CHANGES; nth++) {
      // What ran before this page came up is done by then, and each change finds the thread idle.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const change = () => adapter.changeOne(rowId((nth * 7_919) % size), changeOf(nth));
      if (nth < WARM_UP) await change();
      else times.push((await timed(change)).ms);
    }
    return times;
  },

  async loadAll(size) {
    const { ms, result } = await timed(() => adapter.loadAll());
    if (result !== size) throw new Error(`${adapter.title} loaded ${result} of ${size} rows`);
    return [ms];
  },

  async firstScreen(size) {
    const list = Math.floor(size / LIST / 2);
    const { ms, result } = await timed(() => adapter.firstScreen(list));
    if (result.length !== LIST || result[7].id !== rowId(list * LIST + 7))
      throw new Error(`${adapter.title} read another list`);
    return [ms];
  },

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

  async count() {
    return adapter.loadAll();
  },
};

globalThis.work = work;
