/**
 * Records the tasks of a page while `run` does something there.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<T>} run
 * @returns {Promise<{ result: T, longest: number }>} `longest`: the longest task of the main thread in ms, between the
 *   first mark `bench:start` and the last `bench:end`
 * @template T
 */
export async function recordTasks(browser, page, run) {
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  const running = run();
  await running.catch(() => undefined);
  const trace = await browser.stopTracing();
  return { result: await running, longest: longestTask(JSON.parse(trace.toString()).traceEvents) };
}

/** Tasks are timed by the thread's own clock where there is one: on a busy machine others run in between. */
function longestTask(events) {
  const starts = events.filter(({ name }) => name === 'bench:start');
  const ends = events.filter(({ name }) => name === 'bench:end');
  const [{ pid, tid, ts: from }] = starts;
  const to = ends.at(-1).ts;
  let longest = 0;
  for (const event of events) {
    if (event.pid !== pid || event.tid !== tid || event.ph !== 'X') continue;
    if (!event.name.endsWith('RunTask') || event.ts + event.dur < from || event.ts > to) continue;
    longest = Math.max(longest, event.tdur ?? event.dur);
  }
  return longest / 1_000;
}
