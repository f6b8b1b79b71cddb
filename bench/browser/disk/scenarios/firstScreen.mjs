import { adapter } from 'adapter';
import { rowId } from '../../../data.mjs';
import { LIST } from '../Adapter.mjs';
import { timed } from '../timed.mjs';

export const work = {
  async firstScreen(size) {
    const list = Math.floor(size / LIST / 2);
    const { ms, result } = await timed(() => adapter.firstScreen(list));
    if (result.length !== LIST || result[7].id !== rowId(list * LIST + 7))
      throw new Error(`${adapter.title} read another list`);
    return [ms];
  },
};
