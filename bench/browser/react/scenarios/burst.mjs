import { changeOf, rowId } from '../../../data.mjs';
import { rest, Screen } from '../Screen.jsx';
import { sendMessages } from '../sendMessages.mjs';

const SIZE = 10_000;

/**
 * 1,000 changes a second, as many of them as the page gets to.
 *
 * @param {(store: import('../Adapter.mjs').Store) => import('../Adapter.mjs').Store['change']} change
 * @param {number} lasts - in ms
 */
async function burst(change, lasts) {
  const screen = new Screen(SIZE);
  await screen.mount('ids');
  await rest();
  const apply = change(screen.store);
  const lastOf = new Map();
  const sent = await sendMessages((nth) => {
    const at = (nth * 7_919) % SIZE;
    apply(rowId(at), changeOf(nth));
    lastOf.set(at, nth);
  }, lasts);
  await rest();
  // Nothing that was applied may be missing on the page.
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const [at, nth] of lastOf) {
    const text = screen.rows[at].textContent;
    if (!text.startsWith(`Changed ${nth} `)) throw new Error(`row ${at} shows ${text} after change ${nth}`);
  }
  return [sent];
}

export const work = {
  burst: async () => ({ burst: await burst((store) => store.change, 5_000) }),
  stream: async () => ({ stream: await burst((store) => store.stream ?? store.change, 10_000) }),
};
