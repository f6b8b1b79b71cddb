import { fed, FEED_SIZE, windowAfter } from '../feed.mjs';
import { renders } from '../renders.mjs';
import { rest, Screen } from '../Screen.jsx';
import { sendMessages } from '../sendMessages.mjs';

const LASTS = 10_000;

/** Collects changes, and applies those of a frame together. */
function onceAFrame(store) {
  let waiting = [];
  const flush = () => {
    const changes = waiting;
    waiting = [];
    store.changeAll(changes);
  };
  return (id, change) => {
    if (waiting.push([id, change]) === 1) globalThis.requestAnimationFrame(flush);
  };
}

/**
 * The feed of 1,000 changes a second, into a table of which a live query shows 50 rows.
 *
 * @param {(store: import('../Adapter.mjs').Store) => import('../Adapter.mjs').Store['change']} change
 */
async function window(change) {
  const screen = new Screen(FEED_SIZE);
  await screen.mount(
    'window',
    windowAfter(0).map(({ id }) => id),
  );
  await rest();
  const apply = change(screen.store);
  const before = { ...renders };
  const sent = await sendMessages((nth) => apply(...fed(nth)), LASTS);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const { list, row, needless } = renders;
  const shown = [...screen.rows].map((element) => element.textContent);
  const expected = windowAfter(sent.applied).map(
    ({ title, comments, score }) => `${title} ${comments} ${score}`,
  );
  if (shown.join('\n') !== expected.join('\n'))
    throw new Error(`after ${sent.applied} changes, the page shows\n${shown.join('\n')}`);
  return [
    {
      ...sent,
      list: list - before.list,
      row: row - before.row,
      needless: needless - before.needless,
    },
  ];
}

export const work = {
  window: async () => ({ window: await window((store) => store.change) }),
  windowOnceAFrame: async () => ({
    windowOnceAFrame: await window((store) => store.stream ?? onceAFrame(store)),
  }),
};
