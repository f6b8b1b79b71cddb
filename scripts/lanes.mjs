/**
 * Runs tasks in their order, some of them beside each other, and resolves once all have ended.
 *
 * @param {Readonly<Record<string, { after?: readonly string[] }>>} tasks - by name; each waits until those that it comes
 *   `after` have ended, where they are among the tasks
 * @param {number} lanes - how many may run at once
 * @param {(name: string) => Promise<void>} run
 */
export async function inLanes(tasks, lanes, run) {
  const waiting = new Map(Object.entries(tasks));
  const unfinished = new Set(waiting.keys());
  const running = new Set();
  const mayBegin = ([, { after = [] }]) => !after.some((name) => unfinished.has(name));

  while (unfinished.size > 0) {
    const [name] = [...waiting].find(mayBegin) ?? [];
    if (name === undefined || running.size === lanes) {
      await Promise.race(running);
      continue;
    }
    waiting.delete(name);
    const done = run(name).then(() => {
      unfinished.delete(name);
      running.delete(done);
    });
    running.add(done);
  }
}
