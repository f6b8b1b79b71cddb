/** How long the code under test runs before it is timed, so that it is compiled by then, in ms. */
const WARM_UP = 100;
/** The same where each run needs a cache of its own: so many runs, unless that takes longer than so many ms. */
const RUNS_TO_WARM_UP = 30;
const LONGEST_WARM_UP = 2_000;
/** How long each measurement may take, in ms. */
const BUDGET = 250;
/** A sample is made of as many operations as take this long, in ms: the timer itself costs nothing then. */
const SAMPLE = 0.5;
const FEWEST = 5;
const MOST = 200;

/**
 * Holds the last cache and result, so that no compiler drops the work that made them, and no collection the hidden
 * classes that compiled code relies on.
 */
const kept = { prepared: /** @type {unknown} */ (undefined), result: /** @type {unknown} */ (undefined) };

/**
 * Times an operation that can be repeated on one cache.
 *
 * @param {(nth: number) => unknown} run
 * @param {boolean} [isAsync] - whether the operation ends when the promise that it returns is resolved
 * @returns {Promise<number[]>} µs per operation, one number per sample
 */
export async function timeRepeated(run, isAsync = false) {
  let nth = 0;
  // Two loops: an `await` would be most of the time of an operation that needs none.
  const batch = isAsync
    ? async (/** @type {number} */ size) => {
        const start = performance.now();
        for (let index = 0; index < size; index++) kept.result = await run(nth++);
        return performance.now() - start;
      }
    : (/** @type {number} */ size) => {
        const start = performance.now();
        for (let index = 0; index < size; index++) kept.result = run(nth++);
        return performance.now() - start;
      };
  let size = 1;
  const warmUp = async () => {
    const end = performance.now() + WARM_UP;
    do if ((await batch(size)) < SAMPLE) size *= 2;
    while (performance.now() < end);
  };
  await warmUp();
  collect();
  // A collection may have thrown away compiled code.
  await warmUp();
  return sampled(async () => ((await batch(size)) * 1_000) / size);
}

/**
 * Times an operation that needs a cache of its own each time.
 *
 * @template T
 * @param {() => T | Promise<T>} prepare - not timed
 * @param {(prepared: T) => unknown} run
 * @param {boolean} [isAsync] - whether the operation ends when the promise that it returns is resolved
 * @returns {Promise<number[]>} µs per operation
 */
export async function timeFresh(prepare, run, isAsync = false) {
  const once = async () => {
    const prepared = await prepare();
    kept.prepared = prepared;
    // The garbage of the preparation is not to be collected at the cost of the operation. A full collection would
    // also throw away compiled code.
    globalThis.gc({ type: 'minor' });
    const start = performance.now();
    kept.result = isAsync ? await run(prepared) : run(prepared);
    return (performance.now() - start) * 1_000;
  };
  const end = performance.now() + LONGEST_WARM_UP;
  for (let nth = 0; nth < 2 || (nth < RUNS_TO_WARM_UP && performance.now() < end); nth++) await once();
  return sampled(once, BUDGET * 2);
}

/** @param {() => Promise<number>} take */
async function sampled(take, budget = BUDGET) {
  const samples = [];
  const end = performance.now() + budget;
  while (samples.length < FEWEST || (samples.length < MOST && performance.now() < end))
    samples.push(await take());
  return samples;
}

/**
 * The memory that what `make` returns holds on to.
 *
 * @param {() => unknown} make
 * @returns {number} bytes
 */
export function retained(make) {
  kept.result = undefined;
  collect();
  const before = process.memoryUsage().heapUsed;
  kept.result = make();
  collect();
  return process.memoryUsage().heapUsed - before;
}

function collect() {
  globalThis.gc();
  globalThis.gc();
}

/**
 * The median of numbers, and the quarters of them below and above it.
 *
 * @param {number[]} samples
 */
export const spread = (samples) => ({
  median: quantile(samples, 0.5),
  p25: quantile(samples, 0.25),
  p75: quantile(samples, 0.75),
  samples: samples.length,
});

/** The value below which the given part (0 to 1) of the numbers lies. */
function quantile(numbers, part) {
  const sorted = numbers.toSorted((left, right) => left - right);
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)];
  return below + (sorted[Math.ceil(position)] - below) * (position % 1);
}
