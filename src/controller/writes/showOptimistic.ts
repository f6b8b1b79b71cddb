import { listTablesIn } from '../../endpoint/rest/collectionOf.ts';
import type { Meta } from '../../schema/Meta.ts';
import type { NormalizedEntity, Normalized } from '../../schema/Normalized.ts';
import type { CollectionUpdate } from '../../schema/Schema.ts';
import type { Rename as RenameRow } from '../../store/renames.ts';
import type { RowOf, State } from '../../store/State.ts';
import type { Writer } from '../../store/transaction.ts';
import { writeNormalized } from '../../store/writeEntity.ts';
import { HoldfastError } from '../../util/errors.ts';
import { runIsolated } from '../../util/runIsolated.ts';
import type { ReadListener } from '../../views/Views.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { Mutation } from './Mutation.ts';
import { basePks, currentArgs, pksIn, rowNamedBy } from './currentArgs.ts';
import { renameOf, writeRenamed, type Rename } from './rename.ts';
import { StateSnapshot } from '../reads/StateSnapshot.ts';
import { normalizeResponse } from '../requests/normalizeResponse.ts';
import { mutationAction } from '../requests/writeResponse.ts';
import { updateResults } from './updateResults.ts';

/** A prediction under a pk that another entity has had, as a rename, and the changes of lists for it. */
export interface Reuse {
  readonly rename: Rename;
  readonly updates: readonly CollectionUpdate[];
}

/** How to show a mutation that waits behind others. Apps without a queue do not load it. */
export interface QueuedLayer {
  /** The mutation's args for the state that its layer is applied to. */
  args(writer: Writer): readonly unknown[];
  /** Records a rename in the head. */
  renamed(writer: Writer, rename: RenameRow['value'], meta: Meta): void;
  /** For a creation under a pk that another entity has had. */
  reuse(normalized: Normalized, row: RowOf): Reuse | undefined;
}

/**
 * Adds a layer with the predicted response of a mutation until its real response arrives. Predicted again whenever
 * the rows it has read or written change. Does nothing if the endpoint predicts nothing, or its code throws, which is
 * reported.
 */
export function showOptimistic(
  internals: ControllerInternals,
  mutation: Mutation,
  queued?: QueuedLayer,
): void {
  const { endpoint, order } = mutation;
  if (endpoint.getOptimisticResponse === undefined) return;
  const now = internals.now();
  // Newer than everything confirmed, whatever its order.
  const meta: Meta = {
    requestedAt: now,
    receivedAt: now,
    expiresAt: Infinity,
    order: Infinity,
    answered: Infinity,
  };
  const show = (writer: Writer): void => {
    mutation.expected = undefined;
    const args = queued?.args(writer) ?? mutation.args;
    const row: RowOf = (table, pk) => writer.row(table, pk);
    const current = currentArgs({ endpoint, args }, pksIn(writer.before, internals.aliases, row));
    const normalized = predict(internals, mutation, current, writer.before, trackReads(writer));
    if (normalized === undefined) return;
    const reuse = queued?.reuse(normalized, row);
    const rename = reuse?.rename ?? renameOf(endpoint, current, normalized);
    // Without a path, the args may also identify a new entity, as those of a create do.
    const named = endpoint.ownList === undefined && endpoint.pathParams && rowNamedBy(endpoint, current);
    if (named && isPartialEntity(named, rename?.to ?? named[1], normalized, writer)) {
      internals.absentRows?.record(...named);
      return;
    }
    mutation.expected = normalized.result;
    const { updates } = reuse ?? normalized;
    // A queued creation is sent after the deletion of an entity with its pk, whose response may have a later order.
    const isCreation =
      endpoint.ownList !== undefined || (named === undefined && listTablesIn(endpoint.schema).length > 0);
    const entities =
      queued !== undefined && isCreation ? normalized.entities : withoutDeleted(normalized, writer, order);
    writeRenamed(
      writer,
      rename,
      meta,
      () => writeNormalized(writer, { entities, updates }, meta, internals.registry, mutation.former),
      (...renamed) => queued?.renamed(writer, ...renamed),
    );
    updateResults(writer, endpoint, args, normalized.result, meta);
  };
  try {
    mutation.layer = internals.store.addLayer(show, {
      // Not read in a batch, which has an action of its own.
      get action() {
        return mutationAction('optimistic', mutation);
      },
      origin: 'app',
    });
  } catch (cause) {
    // The mutation itself matters more than its prediction.
    runIsolated(() => {
      throw new HoldfastError(
        'HF_OPTIMISTIC',
        `getOptimisticResponse of ${endpoint.name} threw, so nothing is shown; fix it, or throw snapshot.abort`,
        { cause },
      );
    });
  }
}

/** The prediction of a mutation for the confirmed state; undefined if it shows nothing. */
export function predictionOf(internals: ControllerInternals, mutation: Mutation): Normalized | undefined {
  if (mutation.expected === undefined) return undefined;
  const { base } = internals.store;
  try {
    return predict(internals, mutation, currentArgs(mutation, basePks(internals)), base);
  } catch {
    // If the user's code throws for this state, there is no prediction.
    return undefined;
  }
}

/**
 * The predicted response for a given state; undefined if there is none.
 *
 * @param args - the mutation's args with current pks
 */
function predict(
  internals: ControllerInternals,
  { endpoint, temporaryPk, createdAt }: Mutation,
  args: readonly unknown[],
  state: State,
  onRead?: ReadListener,
): Normalized | undefined {
  const snapshot = new StateSnapshot(state, internals.registry, createdAt, onRead);
  let response: unknown;
  try {
    response = endpoint.getOptimisticResponse?.(snapshot, ...args);
  } catch (error) {
    if (error === snapshot.abort) return undefined;
    throw error;
  }
  return normalizeResponse(internals, endpoint, args, response, temporaryPk);
}

/**
 * Whether a prediction contains only a part of an entity that is not stored: defaults would look like data. It is
 * shown as soon as the entity is restored or fetched.
 *
 * @param to - the pk of the entity in the prediction
 */
function isPartialEntity(
  [table, pk]: readonly [table: string, pk: string],
  to: string,
  { entities }: Normalized,
  writer: Writer,
): boolean {
  const found = entities.get(table)?.get(to);
  const value = found?.value;
  if (value === undefined || writer.row(table, pk)?.value !== undefined) return false;
  // A field whose default is null or undefined may be absent.
  return Object.entries(found?.entity.defaults ?? {}).some(
    ([field, byDefault]) => byDefault !== null && byDefault !== undefined && !(field in value),
  );
}

/** Leaves out entities that a later mutation has deleted. */
function withoutDeleted({ entities }: Normalized, writer: Writer, order: number): Normalized['entities'] {
  const isDeleted = (table: string, pk: string): boolean => {
    const row = writer.row(table, pk);
    // A pending deletion below this layer has an earlier order.
    return (
      row !== undefined && row.value === undefined && row.meta.order > order && row.meta.order < Infinity
    );
  };
  const remaining = new Map<string, ReadonlyMap<string, NormalizedEntity>>();
  for (const [table, rows] of entities)
    remaining.set(table, new Map([...rows].filter(([pk]) => !isDeleted(table, pk))));
  return remaining;
}

/** Adds the snapshot's reads to the layer's footprint. */
function trackReads(writer: Writer): ReadListener {
  return {
    row: (table, pk) => void writer.row(table, pk),
    table: (table) => void writer.rows(table),
    result: (key) => void writer.result(key),
  };
}
