import { adapter } from 'adapter';
import { changeOf, rowId } from '../../../data.mjs';
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

export const work = {
  title: () => adapter.title,
  check: async () => ({ ids: await shownBy('ids'), issues: await shownBy('issues') }),
};
