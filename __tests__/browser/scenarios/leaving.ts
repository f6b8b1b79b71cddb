import { Controller, Endpoint, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';

/** A row with the number of the round that wrote it. */
class Arrival extends Entity {
  id = '';
  text = '';
  static override key = 'Arrival';
}

const getArrivals = new Endpoint(
  async ({ round, count }: { round: number; count: number }): Promise<unknown> =>
    (await fetch(`/arrivals/${round}/${count}`)).json(),
  { name: 'getArrivals', schema: [Arrival], dataExpiryLength: Infinity },
);

const controller = new Controller({ plugins: [indexedDB({ name: 'leaving' })] });

/** Rounds of which something is not there. */
function missing(rounds: number, count: number): number[] {
  return Array.from({ length: rounds }, (_, round) => round).filter((round) => {
    const { data } = controller.getResponse(getArrivals, { round, count });
    return data?.length !== count || data.some(({ text }) => text === '');
  });
}

/** Leaves the page in the task in which a response arrives; after the last round, reports which rows are missing. */
async function run(parameters: URLSearchParams): Promise<void> {
  const [round, rounds, count] = ['round', 'rounds', 'count'].map((name) => Number(parameters.get(name)));
  if (round === undefined || rounds === undefined || count === undefined) return;
  await controller.restored;
  if (round === rounds) {
    Object.assign(globalThis, { lost: missing(rounds, count) });
    return;
  }
  // The first write of a page waits for the browser: in Chromium, for a new log, and in a new profile until it knows how
  // much room there is (docs/storage.md).
  controller.setResponse(getArrivals, { round: -1, count: round }, []);
  await controller.flush();
  await controller.fetch(getArrivals, { round, count });
  location.href = `?round=${round + 1}&rounds=${rounds}&count=${count}`;
}

void run(new URLSearchParams(location.search));
