/**
 * Times `run`, and marks it in the trace.
 *
 * @param {() => T | Promise<T>} run
 * @returns {Promise<{ ms: number, result: T }>}
 * @template T
 */
export async function timed(run) {
  // What came before is not part of the first task.
  await new Promise((resolve) => setTimeout(resolve, 0));
  performance.mark('bench:start');
  const start = performance.now();
  const result = await run();
  const ms = performance.now() - start;
  performance.mark('bench:end');
  return { ms, result };
}
