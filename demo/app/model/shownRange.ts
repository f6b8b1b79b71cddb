/** One page of a longer list, as the server counted it. */
interface ListPage {
  readonly results: readonly unknown[];
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** From 1, as a person counts. */
export interface Range {
  readonly first: number;
  readonly last: number;
  readonly total: number;
}

/**
 * Which members of a list are on screen, and how many there are. What was filed or deleted on this device since the
 * server counted shows in how many there are on the page.
 */
export function shownRange({ results, total, page, perPage }: ListPage): Range {
  const before = (page - 1) * perPage;
  const counted = Math.max(0, Math.min(perPage, total - before));
  return {
    first: before + 1,
    last: before + results.length,
    total: total + results.length - counted,
  };
}
