/**
 * The main thread is busy from now on, so that nothing is written or compacted in idle time, however long the test
 * takes.
 *
 * @returns ends that, and runs what has waited
 */
export function holdIdle(): () => void {
  const waiting: (() => void)[] = [];
  Object.assign(globalThis, { requestIdleCallback: (run: () => void) => waiting.push(run) });
  return () => {
    Reflect.deleteProperty(globalThis, 'requestIdleCallback');
    for (const run of waiting) run();
  };
}
