import { adapter } from 'adapter';
import { timed } from '../timed.mjs';

export const work = {
  async loadAll(size) {
    const { ms, result } = await timed(() => adapter.loadAll());
    if (result !== size) throw new Error(`${adapter.title} loaded ${result} of ${size} rows`);
    return [ms];
  },
};
