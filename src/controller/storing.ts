import type { Meta } from '../schema/Meta.ts';
import type { Normalized } from '../schema/normalize.ts';
import type { Action } from '../store/Commit.ts';
import { expired } from '../store/expired.ts';
import { newResult } from '../store/newResult.ts';
import type { CommitOptions } from '../store/Store.ts';
import { writeNormalized } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import type { Core } from './Core.ts';
import { inResponseOf } from './inResponseOf.ts';
import type { Mutation } from './Mutation.ts';
import type { Read } from './Plugin.ts';
import { renameOf, writeRenamed } from './rename.ts';
import { renameReferences } from './renameReferences.ts';
import { updateResults } from './updateResults.ts';

/** What is done to one read or by one mutation, for plugins and tools to tell. */
export function actionOf(type: Action['type'], { endpoint, key, args }: Read): Action {
  return { type, name: endpoint.name, key, args };
}

/**
 * The times and the order of what is answered now.
 *
 * @param answered - the order at which a mutation was answered; 0 for a read
 * @param length - how long it stays fresh, in ms
 */
export function answeredNow(
  core: Core,
  { requestedAt, order }: Pick<Meta, 'requestedAt' | 'order'>,
  answered: number,
  length: number,
): Meta {
  const receivedAt = core.now();
  return { requestedAt, receivedAt, expiresAt: receivedAt + length, order, answered };
}

/** The same for what the app itself says, as if it had been asked for and answered now. */
export function saidNow(core: Core, isMutation: boolean, length: number): Meta {
  const order = core.clock.tick();
  return answeredNow(core, { requestedAt: core.now(), order }, isMutation ? order : 0, length);
}

/**
 * Stores a response: for a read, also as its result.
 *
 * @returns whether what it gives is what is stored now
 */
export function storeResponse(
  core: Core,
  { endpoint, key, args, mutation }: Read & { readonly mutation?: Mutation | undefined },
  normalized: Normalized,
  meta: Meta,
  options: CommitOptions,
): boolean {
  let elsewhere: readonly string[] = [];
  const written = inResponseOf(endpoint, () =>
    core.store.commit((writer) => {
      writeRenamed(
        writer,
        renameOf(endpoint, args, normalized, mutation?.expected),
        meta,
        () => writeNormalized(writer, normalized, meta, core.keepsInline),
        (table, from, to) => renameReferences(core.views, writer, table, from, to),
      );
      let isWritten = false;
      if (endpoint.sideEffect !== true) {
        core.schemas.set(key, endpoint.schema);
        isWritten = writeResult(writer, key, newResult(endpoint.schema, normalized.result, meta));
        if (!isWritten) return false;
      }
      // Whether its schema is known, or it has none.
      const isKnown = (other: string): boolean =>
        core.store.base.results.get(other)?.shape === undefined || core.schemaOf(other) !== undefined;
      elsewhere = updateResults(writer, endpoint, args, normalized.result, meta, isKnown);
      return isWritten;
    }, options),
  );
  // What is on disk alone is not changed from here, and so read anew.
  if (elsewhere.length > 0)
    core.plugins.revise({ testKey: (test) => elsewhere.includes(test), change: expired });
  return written;
}

/** Stores the error of a read, beside the data that there was. */
export function storeError(
  core: Core,
  key: string,
  error: unknown,
  meta: Meta,
  options: CommitOptions,
): void {
  // A rejection without a reason is an error all the same.
  const reason = error ?? new Error('Rejected without a reason');
  core.store.commit((writer) => {
    const existing = writer.result(key);
    writeResult(writer, key, { ...existing, value: existing?.value, meta, error: reason });
  }, options);
}
