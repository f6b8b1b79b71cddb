import { adapter } from 'adapter';
import { makeRows } from '../../../data.mjs';
import { timed } from '../timed.mjs';

export const work = {
  async storeAll(size) {
    await adapter.fill(makeRows(size));
    return [(await timed(() => adapter.storeAll())).ms];
  },

  /** What the page that stored leaves for idle time. */
  async settle() {
    return [(await timed(() => adapter.settle?.())).ms];
  },
};
