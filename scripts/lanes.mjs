/**
 * Runs tasks in their order, some of them beside each other, and resolves once all have ended.
 *
 * @param {Readonly<Record<string, { after?: readonly string[], lanes?: number }>>} tasks - by name; each waits until
 *   those that it comes `after` have ended, where they are among the tasks, and takes as many lanes as it says, else one
 * @param {number} lanes - how many there are
 * @param {(name: string) => Promise<void>} run
 */
export async function inLanes(tasks, lanes, run) {
  const waiting = new Map(Object.entries(tasks));
  const unfinished = new Set(waiting.keys());
  const running = new Set();
  let free = lanes;
  const mayBegin = ([, { after = [] }]) => !after.some((name) => unfinished.has(name));

  while (unfinished.size > 0) {
    const [name, task] = [...waiting].find(mayBegin) ?? [];
    // A task that takes more lanes than there are runs alone.
    const taken = Math.min(task?.lanes ?? 1, lanes);
    if (name === undefined || taken > free) {
      await Promise.race(running);
      continue;
    }
    waiting.delete(name);
    free -= taken;
    const done = run(name).then(() => {
      unfinished.delete(name);
      running.delete(done);
      free += taken;
    });
    running.add(done);
  }
}
