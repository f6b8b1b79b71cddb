import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { EntityValue } from '../../schema/Meta.ts';
import type { LayerId } from '../../store/Commit.ts';

/** A call of a mutation, from `fetch` to its response. */
export interface Mutation {
  readonly endpoint: EndpointInterface;
  /** A plugin that has taken it over may replace them; its layer uses the new args when it is replayed. */
  args: readonly unknown[];
  /** Whether its body gives the entity another pk: that pk does not refer to an entity that has it already. */
  givesPk?: boolean | undefined;
  /** The pk of the entity that it creates until the server assigns one. Constant for its whole life. */
  readonly temporaryPk: string;
  /** When it was called, in ms since the epoch: `snapshot.fetchedAt` in every replay. */
  readonly createdAt: number;
  /** Its order among all requests: it does not bring back what was deleted after it. */
  readonly order: number;
  /** The row that its path names, as it was shown when it was called: the lists that a `move` leaves contain it. */
  readonly former?: EntityValue | undefined;
  /** Its optimistic layer; undefined while there is none. */
  layer?: LayerId | undefined;
  /** Its predicted response, normalized; undefined while there is none. */
  expected?: unknown;
  /** The row it has created under its temporary pk, once it has been answered. */
  createdRow?: CreatedRow | undefined;
  /** Whether other mutations refer to its temporary pk, although it may have no prediction any more. */
  readonly isReferenced?: boolean;
  /** Whether an earlier attempt may have reached the server, which may then repeat its response to that. */
  readonly isRepeated?: boolean;
}

/**
 * Stores the response of a mutation and returns the value of `fetch`.
 *
 * @param deferRebase - whether another change of mutations follows in the same `batch`. The layers are then rebased
 * once, with the last one
 */
export type StoreResponse = (deferRebase?: boolean) => unknown;

/** A row created by a mutation, under the server's pk. */
export interface CreatedRow {
  readonly table: string;
  readonly pk: string;
  /** The pk that it was shown under: the temporary one, or one derived from it. */
  readonly shownPk: string;
  /** The server's value in place of the temporary pk. */
  readonly id: string | number;
  /** The same by field, if several fields held the temporary pk. */
  readonly ids: Readonly<Record<string, string | number>>;
  /** Further rows that the same mutation has created, by the temporary pks that they were shown under. */
  readonly others?: Readonly<Record<string, CreatedRow>>;
}
