import { adapter } from 'adapter';
import { rowId } from '../../../data.mjs';
import { LIST } from '../Adapter.mjs';
import { timed } from '../timed.mjs';

const middle = (size) => Math.floor(size / LIST / 2);

async function firstScreen(list) {
  const { ms, result } = await timed(() => adapter.firstScreen(list));
  if (result.length !== LIST || result[7].id !== rowId(list * LIST + 7))
    throw new Error(`${adapter.title} read another list`);
  return [ms];
}

export const work = {
  firstScreen: (size) => firstScreen(middle(size)),

  /** What the page shows that is left before `lastScreen`. */
  async show(size) {
    // The others read it, so that the database was just as recently in use.
    await (adapter.show ?? adapter.firstScreen)(middle(size) + 1);
    // A person looks at it.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  },

  lastScreen: (size) => firstScreen(middle(size) + 1),
};
