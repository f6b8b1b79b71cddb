import { isListTable } from '../../schema/collection/collectionArgs.ts';
import type { Meta } from '../../schema/Meta.ts';
import type { Normalized } from '../../schema/Normalized.ts';
import { isOlder } from '../../schema/order.ts';
import type { Action } from '../../store/Commit.ts';
import { isUnknownChange, type ListChange } from '../../store/lazyListRow.ts';
import { addMissed } from '../../store/missedListChanges.ts';
import type { CommitOptions } from '../../store/Store.ts';
import type { Writer } from '../../store/transaction.ts';
import { writeNormalized } from '../../store/writeEntity.ts';
import { writePage, writeResult, newResult, expired } from '../../store/writeResult.ts';
import type { ControllerInternals } from '../ControllerInternals.ts';
import type { EndpointCall } from './NetworkRequest.ts';
import type { Mutation } from '../writes/Mutation.ts';
import type { Read } from '../plugins/Plugin.ts';
import { moveCreated } from '../writes/createdRows.ts';
import { recordRename, renameOf, renamesNothing, writeRenamed } from '../writes/rename.ts';
import { updateResults } from '../writes/updateResults.ts';
import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { shapeOf } from '../../schema/shapeOf.ts';
import { equal } from '../../util/adopt.ts';
import { HoldfastError } from '../../util/errors.ts';

/** The action of a read or mutation, for plugins and devtools. */
export function actionOf(type: Action['type'], { endpoint, key, args }: Read): Action {
  return { type, name: endpoint.name, key, args };
}

/** The action of a mutation. Queued args may no longer fit the endpoint, and then have no key. */
export function mutationAction(type: 'fetch' | 'optimistic', { endpoint, args }: EndpointCall): Action {
  try {
    return actionOf(type, { endpoint, key: endpoint.key(...args), args });
  } catch {
    return { type, name: endpoint.name, args };
  }
}

/**
 * The meta of a response that has just arrived.
 *
 * @param answered - the order at which a mutation was answered; 0 for a read
 * @param length - how long it stays fresh, in ms
 */
export function responseMeta(
  internals: ControllerInternals,
  { requestedAt, order }: Pick<Meta, 'requestedAt' | 'order'>,
  answered: number,
  length: number,
): Meta {
  const receivedAt = internals.now();
  return { requestedAt, receivedAt, expiresAt: receivedAt + length, order, answered };
}

/** The meta of a value set by the app, as if it had been requested and answered now. */
export function localMeta(internals: ControllerInternals, isMutation: boolean, length: number): Meta {
  const order = internals.clock.tick();
  return responseMeta(internals, { requestedAt: internals.now(), order }, isMutation ? order : 0, length);
}

/**
 * Whether the response of a read is the stored result, or that keeps a list which a mutation has changed since it was
 * requested.
 */
export type Written = 'no' | 'yes' | 'overtaken';

/** Stores a response; for a read, also its result. */
export function writeResponse(
  internals: ControllerInternals,
  { endpoint, key, args, mutation }: Read & { readonly mutation?: Mutation | undefined },
  normalized: Normalized,
  meta: Meta,
  options: CommitOptions,
): Written {
  let elsewhere: readonly string[] = [];
  const written = withEndpointContext(endpoint, () =>
    internals.store.commit((writer) => {
      const { createdRow, expected } = mutation ?? {};
      // The aliases have the pk in place of a temporary one.
      const isAlias = createdRow?.shownPk !== createdRow?.pk;
      const rename = renameOf(endpoint, args, normalized, isAlias ? undefined : expected);
      writeRenamed(
        writer,
        rename === undefined || renamesNothing(internals, writer, rename) ? undefined : rename,
        meta,
        () =>
          writeNormalized(
            writer,
            normalized,
            meta,
            internals.registry,
            mutation?.former,
            internals.listChanges,
          ),
        (...renamed) => recordRename(internals, writer, ...renamed),
      );
      if (mutation !== undefined) moveCreated(internals, writer, mutation, meta);
      let outcome: Written = 'no';
      if (endpoint.sideEffect !== true) {
        internals.reads.getOrCreate({ endpoint, key, args }).schema = endpoint.schema;
        const write = endpoint.resultKey === undefined ? writeResult : writePage;
        const result = newResult(endpoint.schema, normalized.result, meta);
        const isLate = isOvertaken(internals.listChanges, writer, normalized, meta);
        // Not all of the response is shown, so it has to be requested again.
        if (!write(writer, key, isLate ? expired(result) : result)) return 'no';
        outcome = isLate ? 'overtaken' : 'yes';
        for (const [table, lists] of normalized.entities)
          if (isListTable(table))
            for (const { entity, pk } of lists.values())
              addMissed(writer, table, pk, meta, internals.listChanges, entity.schema);
      }
      // Whether its schema is known, or it has none.
      const isKnown = (other: string): boolean =>
        internals.store.base.results.get(other)?.shape === undefined ||
        internals.schemaOf(other) !== undefined;
      elsewhere = updateResults(writer, endpoint, args, normalized.result, meta, isKnown);
      return outcome;
    }, options),
  );
  // Results that are only on disk cannot be updated, so they become stale.
  if (elsewhere.length > 0)
    internals.plugins.revise({ testKey: (test) => elsewhere.includes(test), change: expired });
  return written;
}

/**
 * Whether a mutation has changed a list since it was requested. The stored list is kept then, without what else is new in
 * the response.
 */
function isOvertaken(
  listChanges: readonly ListChange[],
  writer: Writer,
  { entities }: Normalized,
  meta: Meta,
): boolean {
  for (const [table, lists] of entities) {
    if (!isListTable(table)) continue;
    const isUnknown = (change: ListChange): boolean =>
      change.table === table && isUnknownChange(change) && isOlder(meta, change.meta);
    if (listChanges.some(isUnknown)) return true;
    for (const { pk, value } of lists.values()) {
      const stored = writer.row(table, pk);
      if (stored === undefined || stored.meta.answered === 0 || !isOlder(meta, stored.meta)) continue;
      if (!equal(stored.value?.['members'], value?.['members'])) return true;
    }
  }
  return false;
}

/** Stores the error of a read beside its data. */
export function writeErrorResult(
  internals: ControllerInternals,
  key: string,
  error: unknown,
  meta: Meta,
  options: CommitOptions,
): void {
  // A rejection without a reason is still an error.
  const reason = error ?? new Error('Rejected without a reason');
  internals.store.commit((writer) => {
    const existing = writer.result(key);
    writeResult(writer, key, { ...existing, value: existing?.value, meta, error: reason });
  }, options);
}

/** Stores a response, and adds the endpoint's name to errors of the store. */
function withEndpointContext<T>(endpoint: EndpointInterface, store: () => T): T {
  try {
    return store();
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code !== 'HF_TOO_DEEP') throw error;
    throw new HoldfastError(
      'HF_TOO_DEEP',
      `The response of ${endpoint.name} (${shapeOf(endpoint.schema) || 'plain data'}) nests too many objects or lists; return flatter data`,
      { cause: error },
    );
  }
}
