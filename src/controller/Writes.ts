import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { EntityClass, EntityValue, Meta } from '../schema/EntityClass.ts';
import { normalize, normalizeRow } from '../schema/normalize.ts';
import type { Action } from '../store/Commit.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH } from '../store/expiry.ts';
import { rowOf, type StoredResult } from '../store/State.ts';
import { produceValue } from '../store/transaction.ts';
import { writeEntities } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import { adopt } from '../util/adopt.ts';
import { HoldfastError } from '../util/errors.ts';
import type { Core } from './Core.ts';

/** Selects results by their endpoint's key. */
export interface KeyTest {
  testKey(key: string): boolean;
}

/** The writes that come from the app itself; each has taken effect when it returns. */
export class Writes {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Merges fields into one entity, or has a recipe change its row. */
  set(entity: EntityClass, args: readonly unknown[], value: object | ((draft: object) => unknown)): void {
    const pk = entity.queryKey(args);
    if (pk === undefined) {
      throw new HoldfastError(
        'HF_NOT_QUERYABLE',
        `controller.set() was given args that name no ${entity.name}; pass what its pk() is made of`,
      );
    }
    const meta = this.#writtenNow(this.#core.options.dataExpiryLength ?? DATA_EXPIRY_LENGTH, true);
    const action: Action = { type: 'set', name: entity.name, args };
    if (typeof value === 'function')
      this.#change(entity, pk, args, value as (draft: object) => unknown, meta, action); // narrowed by typeof
    else this.#merge(entity, pk, args, value, meta, action);
  }

  setResponse(endpoint: EndpointInterface, args: readonly unknown[], response: unknown): void {
    const core = this.#core;
    const key = endpoint.key(...args);
    const length = endpoint.dataExpiryLength ?? core.options.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
    const schema = core.schemaFor(endpoint, key);
    const normalized = schema === undefined ? undefined : normalize(schema, response, args, endpoint.name);
    if (normalized !== undefined) core.registry.addAll(normalized.entities);
    const meta = this.#writtenNow(length, endpoint.sideEffect === true);
    core.store.commit(
      (writer) => {
        if (normalized !== undefined) writeEntities(writer, normalized.entities, meta);
        const value = normalized === undefined ? response : normalized.result;
        if (endpoint.sideEffect !== true) writeResult(writer, key, { value, meta });
      },
      { action: { type: 'setResponse', name: endpoint.name, key, args }, origin: 'app' },
    );
  }

  setError(endpoint: EndpointInterface, args: readonly unknown[], error: unknown): void {
    const core = this.#core;
    const key = endpoint.key(...args);
    const length = endpoint.errorExpiryLength ?? core.options.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
    const meta = this.#writtenNow(length, false);
    core.store.commit(
      (writer) => {
        const existing = writer.result(key);
        writeResult(writer, key, { ...existing, value: existing?.value, meta, error });
      },
      { action: { type: 'setError', name: endpoint.name, key, args }, origin: 'app' },
    );
  }

  invalidate(endpoint: EndpointInterface, args: readonly unknown[]): void {
    const key = endpoint.key(...args);
    this.#invalidate([key], { type: 'invalidate', name: endpoint.name, key, args });
  }

  invalidateAll(which: KeyTest): void {
    this.#invalidate(this.#keys(which), { type: 'invalidateAll' });
  }

  expireAll(which: KeyTest): void {
    const keys = this.#keys(which);
    this.#core.store.commit(
      (writer) => {
        for (const key of keys) {
          const result = writer.result(key);
          if (result !== undefined)
            writer.setResult(key, { ...result, meta: { ...result.meta, expiresAt: 0 } });
        }
      },
      { action: { type: 'expireAll' }, origin: 'app' },
    );
  }

  #invalidate(keys: readonly string[], action: Action): void {
    // Counts as a mutation answered now: no read that began before may bring a value back.
    const meta = this.#writtenNow(0, true);
    for (const key of keys) this.#core.inFlight.forget(key);
    this.#core.store.commit(
      (writer) => {
        for (const key of keys) {
          const result: StoredResult = { value: writer.result(key)?.value, meta, invalidated: true };
          writer.setResult(key, result);
        }
      },
      { action, origin: 'app' },
    );
  }

  #merge(
    entity: EntityClass,
    pk: string,
    args: readonly unknown[],
    value: object,
    meta: Meta,
    action: Action,
  ): void {
    const { entities } = normalize(entity, value, args, `controller.set(${entity.name})`, pk);
    this.#core.registry.addAll(entities);
    this.#core.store.commit((writer) => writeEntities(writer, entities, meta), { action, origin: 'app' });
  }

  #change(
    entity: EntityClass,
    pk: string,
    args: readonly unknown[],
    recipe: (draft: object) => unknown,
    meta: Meta,
    action: Action,
  ): void {
    const stored = rowOf(this.#core.store.base, entity.key, pk)?.value;
    if (stored === undefined) {
      throw new HoldfastError(
        'HF_ROW_MISSING',
        `controller.set() was given a recipe for ${entity.name} ${JSON.stringify(pk)}, which is not stored; pass a value instead`,
      );
    }
    const changed = produceValue(stored, recipe);
    if (changed === stored) return;
    const row = { ...(changed as EntityValue) }; // a recipe changes the row or returns a new one
    const entities = normalizeRow(entity, row, args);
    this.#core.registry.addAll(entities);
    this.#core.store.commit(
      (writer) => {
        writeEntities(writer, entities, meta);
        // The recipe saw the whole row, so what it left out is gone.
        writer.setRow(entity.key, pk, { value: adopt(row, stored) as EntityValue, meta }); // adopt() keeps the type
      },
      { action, origin: 'app' },
    );
  }

  #keys(which: KeyTest): string[] {
    const keys: string[] = [];
    for (const [key] of this.#core.store.base.results.entries()) if (which.testKey(key)) keys.push(key);
    return keys;
  }

  #writtenNow(length: number, isMutation: boolean): Meta {
    const now = this.#core.now();
    const order = this.#core.clock.tick();
    return {
      requestedAt: now,
      receivedAt: now,
      expiresAt: now + length,
      order,
      answered: isMutation ? order : 0,
    };
  }
}
