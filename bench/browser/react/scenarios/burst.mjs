import { changeOf, rowId } from '../../../data.mjs';
import { rest, Screen } from '../Screen.jsx';

const SIZE = 10_000;
const A_SECOND = 1_000;
/** Sends a message for each ms that has passed, as a server's socket would: each is a task of the page. */
const sender = (lasts) => `
  const start = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = Math.min((performance.now() - start) * ${A_SECOND / 1_000}, ${(A_SECOND * lasts) / 1_000});
    for (; sent < due; sent++) postMessage(sent);
  }, 1);
`;

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
  const address = URL.createObjectURL(new Blob([sender(lasts)], { type: 'text/javascript' }));
  let applied = 0;
  let frames = 0;
  const scriptBefore = await globalThis.scriptTime();
  performance.mark('bench:start');
  const worker = new globalThis.Worker(address);
  const end = performance.now() + lasts;
  worker.onmessage = () => {
    if (performance.now() > end) return;
    const at = (applied * 7_919) % SIZE;
    apply(rowId(at), changeOf(applied));
    lastOf.set(at, applied);
    applied += 1;
  };
  await new Promise((resolve) => {
    globalThis.requestAnimationFrame(function next(now) {
      frames += 1;
      if (now < end) globalThis.requestAnimationFrame(next);
      else resolve();
    });
  });
  performance.mark('bench:end');
  worker.terminate();
  const script = (await globalThis.scriptTime()) - scriptBefore;
  await rest();
  // Nothing that was applied may be missing on the page.
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (const [at, nth] of lastOf) {
    const text = screen.rows[at].textContent;
    if (!text.startsWith(`Changed ${nth} `)) throw new Error(`row ${at} shows ${text} after change ${nth}`);
  }
  return [{ applied, script: script / applied, frames }];
}

export const work = {
  burst: async () => ({ burst: await burst((store) => store.change, 5_000) }),
  stream: async () => ({ stream: await burst((store) => store.stream ?? store.change, 10_000) }),
};
