import { adapter } from 'adapter';
import { changeOf, makeRows, matchesWindow, rowId } from '../../../data.mjs';
import { authorOf, issues } from '../issues.mjs';
import { Screen } from '../Screen.jsx';

const SIZE = 300;

/** What the page shows after each kind of change, for `run.mjs` to compare: a library must do what is timed. */
async function shownBy(list) {
  const screen = new Screen(SIZE);
  const { store } = screen;
  const shown = [];
  const note = async (run) => {
    run();
    await new Promise((resolve) => setTimeout(resolve, 60));
    shown.push([...screen.rows].map((row) => row.textContent));
  };
  await note(() => screen.show(list));
  await note(() => store.change(rowId(7), changeOf(1)));
  await note(() => (store.stream ?? store.change)(rowId(8), changeOf(2)));
  await note(() => store.changeAuthor(authorOf('user-7', 1), [rowId(7), rowId(107), rowId(207)]));
  await note(() => store.push(issues(SIZE + 1)[SIZE]));
  await note(() => store.remove(rowId(100)));
  await screen.close();
  return shown;
}

/** The same of a live query, of which rows change, enter, leave and move. */
async function shownByWindow() {
  const screen = new Screen(SIZE);
  const { store } = screen;
  const [first, second, third] = makeRows(SIZE)
    .filter(matchesWindow)
    .map(({ id }) => id);
  const other = rowId(9);
  const shown = [];
  const note = async (run) => {
    run();
    await new Promise((resolve) => setTimeout(resolve, 60));
    shown.push([...screen.rows].map((row) => row.textContent));
  };
  await note(() => screen.show('window'));
  await note(() => store.change(first, changeOf(1)));
  await note(() => store.change(other, changeOf(2)));
  await note(() => (store.stream ?? store.change)(second, { score: 1_000 }));
  await note(() => store.change(third, { state: 'closed' }));
  await note(() => store.change(other, { state: 'open', repoId: 'repo-7' }));
  await note(() =>
    store.changeAll?.([
      [first, { score: 2_000 }],
      [other, changeOf(3)],
    ]),
  );
  await screen.close();
  return shown;
}

export const work = {
  title: () => adapter.title,
  can: () => Object.keys(adapter.create([])),
  check: async () => {
    const can = work.can();
    return {
      ...(can.includes('useIds') ? { ids: await shownBy('ids'), issues: await shownBy('issues') } : {}),
      ...(can.includes('useWindow') ? { window: await shownByWindow() } : {}),
    };
  },
};
