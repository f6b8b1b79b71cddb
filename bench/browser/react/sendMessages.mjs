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
 * Sends the page 1,000 messages a second.
 *
 * @param {(nth: number) => void} receive - called for as many of them as the page gets to
 * @param {number} lasts - in ms
 * @returns {Promise<{ applied: number, script: number, frames: number }>} how many it received, ms of scripts for each
 *   of them, and the frames
 */
export async function sendMessages(receive, lasts) {
  const address = URL.createObjectURL(new Blob([sender(lasts)], { type: 'text/javascript' }));
  let applied = 0;
  let frames = 0;
  const scriptBefore = await globalThis.scriptTime();
  performance.mark('bench:start');
  const worker = new globalThis.Worker(address);
  const end = performance.now() + lasts;
  worker.onmessage = () => {
    if (performance.now() > end) return;
    receive(applied);
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
  return { applied, script: script / applied, frames };
}
