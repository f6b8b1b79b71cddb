import { rowId } from '../../../data.mjs';
import { rest, Screen } from '../Screen.jsx';

const SIZE = 10_000;
const FEW = 500;
const MOUNTS = 50;
/** What is kept for later mounts is there after so many. */
const WARM_UP = 25;

const someIds = Array.from({ length: FEW }, (_, index) => rowId(index * 20));

/** Mounts 500 rows and takes them away again. */
async function mountSome(screen) {
  const taken = await screen.mount('some', someIds);
  screen.show();
  await rest();
  return taken;
}

export const work = {
  /** Each on a store that nothing has been read from. */
  async mountAll() {
    const taken = [];
    for (let nth = 0; nth < 4; nth++) {
      const screen = new Screen(SIZE);
      const one = await screen.mount('ids');
      if (nth > 0) taken.push(one);
      await screen.close();
    }
    return { mountAll: taken };
  },

  async mountSome() {
    const screen = new Screen(SIZE);
    const taken = [];
    for (let nth = 0; nth < WARM_UP; nth++) {
      const one = await mountSome(screen);
      if (nth >= 5) taken.push(one);
    }
    const before = await globalThis.heapUsed();
    for (let nth = 0; nth < MOUNTS; nth++) await mountSome(screen);
    const growth = [{ KB: ((await globalThis.heapUsed()) - before) / 1024 }];
    return { mountSome: taken, growth };
  },
};
