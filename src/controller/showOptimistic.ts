import { isEntity } from '../schema/isEntity.ts';
import type { Meta } from '../schema/Meta.ts';
import type { Schema } from '../schema/Schema.ts';
import type { Writer } from '../store/transaction.ts';
import { writeNormalized } from '../store/writeEntity.ts';
import { HoldfastError } from '../util/errors.ts';
import { isolated } from '../util/isolated.ts';
import type { ReadListener } from '../views/Views.ts';
import type { Core } from './Core.ts';
import type { Mutation } from './Mutation.ts';
import { StateSnapshot } from './StateSnapshot.ts';
import { takeApart } from './takeApart.ts';

/**
 * Shows what a mutation is expected to answer, as a layer over the confirmed state, until its own answer comes. Asked
 * again whenever the state below it changes in what it has read or written. Shows nothing where the endpoint expects
 * nothing, or its own code fails, which is reported.
 */
export function showOptimistic(core: Core, mutation: Mutation): void {
  const { endpoint, args, temporaryPk } = mutation;
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
    // Asked for at each replay: a plugin may have replaced them.
    const { args } = mutation;
    const snapshot = new StateSnapshot(writer.before, core.registry, now, noted(writer));
    let response: unknown;
    try {
      response = endpoint.getOptimisticResponse?.(snapshot, ...args);
    } catch (error) {
      if (error === snapshot.abort) return;
      throw error;
    }
    const named = withPk(endpoint.schema, response, temporaryPk);
    const normalized = takeApart(core, endpoint, args, named, temporaryPk);
    mutation.expected = normalized.result;
    writeNormalized(writer, normalized, meta);
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
        `getOptimisticResponse of ${endpoint.name} failed, so the mutation is sent without showing anything; correct it, or throw snapshot.abort to show nothing`,
        { cause },
      );
    });
  }
}

/** What is made now has no pk of its own yet. */
function withPk(schema: Schema, response: unknown, temporaryPk: string): unknown {
  if (!isEntity(schema) || typeof response !== 'object' || response === null || Array.isArray(response))
    return response;
  return 'id' in schema.defaults && !('id' in response) ? { ...response, id: temporaryPk } : response;
}

/** Makes what a snapshot reads part of what the layer stands on. */
function noted(writer: Writer): ReadListener {
  return {
    row: (table, pk) => void writer.row(table, pk),
    table: (table) => void writer.rows(table),
    result: (key) => void writer.result(key),
  };
}
