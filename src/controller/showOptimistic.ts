import type { Meta } from '../schema/Meta.ts';
import type { FoundEntity, Normalized } from '../schema/normalize.ts';
import { rowOf, type State } from '../store/State.ts';
import type { Writer } from '../store/transaction.ts';
import { writeNormalized } from '../store/writeEntity.ts';
import { HoldfastError } from '../util/errors.ts';
import { isolated } from '../util/isolated.ts';
import type { ReadListener } from '../views/Views.ts';
import type { Core } from './Core.ts';
import type { Mutation } from './Mutation.ts';
import { makes } from './noteMade.ts';
import { currentArgs, namedBy, renameOf, writeRenamed } from './rename.ts';
import { StateSnapshot } from './StateSnapshot.ts';
import { takeApart } from './takeApart.ts';
import { updateResults } from './updateResults.ts';

/**
 * Shows what a mutation is expected to answer, as a layer over the confirmed state, until its own answer comes. Asked
 * again whenever the state below it changes in what it has read or written. Shows nothing where the endpoint expects
 * nothing, or its own code fails, which is reported.
 */
export function showOptimistic(core: Core, mutation: Mutation): void {
  const { endpoint, args, order } = mutation;
  if (endpoint.getOptimisticResponse === undefined) return;
  const now = core.now();
  // Newer than all that is confirmed, whatever its order.
  const meta: Meta = {
    requestedAt: now,
    receivedAt: now,
    expiresAt: Infinity,
    order: Infinity,
    answered: Infinity,
  };
  const show = (writer: Writer): void => {
    mutation.expected = undefined;
    const current = currentArgs(endpoint, mutation.args, core.aliases, (table, pk) => writer.row(table, pk));
    const normalized = expect(core, mutation, current, writer.before, noted(writer));
    if (normalized === undefined) return;
    const rename = renameOf(endpoint, current, normalized);
    // Without a path, what is made may be named as well.
    const named = endpoint.pathParams && namedBy(endpoint, current);
    if (named !== undefined && isHalf(named, rename?.to ?? named[1], normalized, writer)) return;
    mutation.expected = normalized.result;
    const entities = withoutDeleted(normalized, writer, order);
    writeRenamed(writer, rename, meta, () =>
      writeNormalized(writer, { ...normalized, entities }, meta, core.keepsInline),
    );
    updateResults(writer, endpoint, mutation.args, normalized.result, meta);
  };
  try {
    mutation.layer = core.store.addLayer(show, {
      action: { type: 'optimistic', name: endpoint.name, key: endpoint.key(...args), args },
      origin: 'app',
    });
  } catch (cause) {
    // What the user wants done is more than what would have been shown of it.
    isolated(() => {
      throw new HoldfastError(
        'HF_OPTIMISTIC',
        `getOptimisticResponse of ${endpoint.name} failed, so nothing is shown; correct it, or throw snapshot.abort`,
        { cause },
      );
    });
  }
}

/**
 * What a mutation that is shown is expected to answer, from what is confirmed; undefined where nothing is shown, or the
 * server's pk of what it makes is not known.
 */
export function expectedOf(core: Core, mutation: Mutation | undefined): Normalized | undefined {
  if (mutation?.expected === undefined || makes(mutation)) return undefined;
  try {
    const { base } = core.store;
    const { endpoint, args } = mutation;
    const current = currentArgs(endpoint, args, core.aliases, (table, pk) => rowOf(base, table, pk));
    return expect(core, mutation, current, base);
  } catch {
    // What the user's code makes of another state is its own affair.
    return undefined;
  }
}

/**
 * What a mutation is expected to answer in some state; undefined where its endpoint tells nothing.
 *
 * @param args - its own, with the pks of now
 */
function expect(
  core: Core,
  { endpoint, temporaryPk, askedAt }: Mutation,
  args: readonly unknown[],
  state: State,
  onRead?: ReadListener,
): Normalized | undefined {
  const snapshot = new StateSnapshot(state, core.registry, askedAt, onRead);
  let response: unknown;
  try {
    response = endpoint.getOptimisticResponse?.(snapshot, ...args);
  } catch (error) {
    if (error === snapshot.abort) return undefined;
    throw error;
  }
  return takeApart(core, endpoint, args, response, temporaryPk);
}

/**
 * Whether a mutation is expected to answer with a part of the entity that its args name, and the rest is not stored:
 * defaults would pass for data. It is shown as soon as the rest is there, from disk or from the server.
 *
 * @param to - the pk of the entity in the answer
 */
function isHalf(
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

/** Leaves out what a mutation that began later has deleted: a pending one does not bring it back. */
function withoutDeleted({ entities }: Normalized, writer: Writer, began: number): Normalized['entities'] {
  const isDeleted = (table: string, pk: string): boolean => {
    const row = writer.row(table, pk);
    // A pending deletion below this one began before it.
    return (
      row !== undefined && row.value === undefined && row.meta.order > began && row.meta.order < Infinity
    );
  };
  const left = new Map<string, ReadonlyMap<string, FoundEntity>>();
  for (const [table, rows] of entities)
    left.set(table, new Map([...rows].filter(([pk]) => !isDeleted(table, pk))));
  return left;
}

/** Makes what a snapshot reads part of what the layer stands on. */
function noted(writer: Writer): ReadListener {
  return {
    row: (table, pk) => void writer.row(table, pk),
    table: (table) => void writer.rows(table),
    result: (key) => void writer.result(key),
  };
}
