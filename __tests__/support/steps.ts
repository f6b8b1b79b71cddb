import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';

const ROOT = path.join(__dirname, '../..');
const SOURCES = [path.join(ROOT, 'src'), path.join(ROOT, 'plugins')].map((folder) => folder + path.sep);

/**
 * Counts how often blocks of the library's code are entered: function bodies, branches, and each pass of a loop.
 * Unlike a time, this is the same in each run. What the engine does by itself, such as copying an array, counts nothing.
 */
export async function stepsOf(run: () => Promise<unknown>): Promise<number> {
  const session = new Session();
  session.connect();
  // Optimized code does not count all blocks.
  setFlagsFromString('--no-opt');
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    // From zero: what has run before is in the first report.
    await session.post('Profiler.takePreciseCoverage');
    await run();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => SOURCES.some((folder) => url.replace('file://', '').startsWith(folder)))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  } finally {
    setFlagsFromString('--opt');
    session.disconnect();
  }
}

/** Counts how many members of arrays are iterated, also where an array is spread: the engine does that by itself. */
export function iteratedIn(run: () => void): number {
  let count = 0;
  const iterate = Array.prototype[Symbol.iterator];
  Array.prototype[Symbol.iterator] = function counted(this: unknown[]) {
    const iterator = iterate.call(this);
    const step = iterator.next.bind(iterator);
    iterator.next = () => {
      count += 1;
      return step();
    };
    return iterator;
  };
  try {
    run();
  } finally {
    Array.prototype[Symbol.iterator] = iterate;
  }
  return count;
}
