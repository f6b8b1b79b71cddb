/** Reads in progress at a time, so that the disk works while memory merges. More would delay reads of components. */
const PREFETCHED = 2;

/**
 * Sequential reads, a few of which are started ahead.
 *
 * @param end - the number of items
 * @param step - items per read
 */
export function* prefetch<T>(
  end: number,
  step: number,
  read: (first: number) => Promise<T>,
): Generator<Promise<T>> {
  const readings: Promise<T>[] = [];
  for (let first = 0; first < end; first += step) {
    const reading = read(first);
    // Awaited by the caller, unless it stops.
    reading.catch(() => undefined);
    readings.push(reading);
    if (readings.length === PREFETCHED) yield readings.shift() as Promise<T>; // there are two
  }
  yield* readings;
}
