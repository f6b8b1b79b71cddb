import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { LayerId } from '../store/Commit.ts';

/** A call of a mutation, from being asked for until it has been answered. */
export interface Mutation {
  readonly endpoint: EndpointInterface;
  /** A plugin that has taken it over may replace them; what is shown follows when it is shown again. */
  args: readonly unknown[];
  /** The pk of what it makes, until the server gives one: the same for its whole life. */
  readonly temporaryPk: string;
  /** When it was asked for, in ms since the epoch: what `snapshot.fetchedAt` says, however late it is shown again. */
  readonly askedAt: number;
  /** Its place in the order of all requests: what was deleted after it is not brought back by it. */
  readonly order: number;
  /** What is shown of it; undefined while nothing is. */
  layer?: LayerId | undefined;
  /** What it is expected to answer, normalized; undefined while nothing is. */
  expected?: unknown;
  /** What it made under its temporary pk, once it has been answered. */
  made?: MadeRow | undefined;
}

/**
 * Stores the answer of a mutation and gives what `fetch` does.
 *
 * @param isPartial - whether another change of mutations follows in the same `batch`, with which this one is shown too:
 * what is pending is then worked out once for all of them
 */
export type StoreAnswer = (isPartial?: boolean) => unknown;

/** A row that a mutation made, by where the server's answer is stored. */
export interface MadeRow {
  readonly table: string;
  readonly pk: string;
  /** The pk that it was shown under: the temporary one, or one that is made of it. */
  readonly shownPk: string;
  /** What the server has put in the place of the temporary pk, as its data has it. */
  readonly id: string | number;
  /** The same by field, where several were shown with the temporary pk. */
  readonly ids: Readonly<Record<string, string | number>>;
}
