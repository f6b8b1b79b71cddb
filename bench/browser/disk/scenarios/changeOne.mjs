import { adapter } from 'adapter';
import { changeOf, rowId } from '../../../data.mjs';
import { CHANGES, WARM_UP } from '../Adapter.mjs';
import { timed } from '../timed.mjs';

export const work = {
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
};
