import { changeOf, makeRows, rowId } from '../../../data.mjs';
import { authorOf } from '../issues.mjs';
import { Screen } from '../Screen.jsx';

const SIZE = 10_000;
const AUTHORS = 100;
const WARM_UP = 5;

const textOf = (row) => row.textContent;

/** Does one thing again and again, on what it did before. */
async function repeat(times, run) {
  const taken = [];
  for (let nth = 0; nth < times + WARM_UP; nth++) {
    const one = await run(nth);
    if (nth >= WARM_UP) taken.push(one);
  }
  return taken;
}

async function changeOne(screen) {
  return repeat(25, (nth) => {
    const at = (nth * 7_919) % SIZE;
    const change = changeOf(nth);
    return screen.timed(
      () => screen.store.change(rowId(at), change),
      (rows) => textOf(rows[at]).startsWith(`${change.title} `),
    );
  });
}

async function changeAuthor(screen) {
  return repeat(10, (nth) => {
    const at = nth % AUTHORS;
    const author = authorOf(screen.issues[at].authorId, nth + 1);
    const last = SIZE - AUTHORS + at;
    const ids = screen.issues.filter(({ authorId }) => authorId === author.id).map(({ id }) => id);
    const shows = (row) => textOf(row).endsWith(author.name);
    return screen.timed(
      () => screen.store.changeAuthor(author, ids),
      (rows) => shows(rows[at]) && shows(rows[last]),
    );
  });
}

async function pushAndRemove(screen) {
  const added = makeRows(SIZE + 100).slice(SIZE);
  const push = await repeat(10, (nth) => {
    // By an author that has its first name still, or all its rows would change too.
    const issue = { ...added[nth], author: screen.issues[AUTHORS - 1 - nth].author };
    return screen.timed(
      () => screen.store.push(issue),
      (rows) => rows.length === SIZE + nth + 1,
    );
  });
  return { push, remove: await remove(screen, 601) };
}

/** Takes rows out of the list, so many apart. */
async function remove(screen, step) {
  const size = screen.rows.length;
  return repeat(10, (nth) =>
    screen.timed(
      () => screen.store.remove(rowId(nth * step)),
      (rows) => rows.length === size - nth - 1,
    ),
  );
}

/** A list of 10,000 rows, changed: what was measured, by the name of its line. */
export const work = {
  async ownHooks() {
    const screen = new Screen(SIZE);
    await screen.mount('ids');
    const [one, author] = [await changeOne(screen), await changeAuthor(screen)];
    const { push, remove } = await pushAndRemove(screen);
    await screen.close();
    return { change: one, changeAuthor: author, push, remove };
  },

  async listReadOnce() {
    const screen = new Screen(SIZE);
    await screen.mount('issues');
    const one = await changeOne(screen);
    const nearTheHead = await remove(screen, 3);
    await screen.close();
    return { changeInList: one, removeInList: nearTheHead };
  },
};
