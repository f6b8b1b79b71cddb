import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { EntityValue, Meta } from '../schema/Meta.ts';
import { isEntity } from '../schema/isEntity.ts';
import { queryKey } from '../schema/queryKey.ts';
import type { EntityClass, Schema } from '../schema/Schema.ts';
import { originOf } from '../schema/Origin.ts';
import { normalize, normalizeRow, type Normalized } from '../schema/normalize.ts';
import type { Action } from '../store/Commit.ts';
import { DATA_EXPIRY_LENGTH, ERROR_EXPIRY_LENGTH } from '../store/expiry.ts';
import { failedResult } from '../store/failedResult.ts';
import { newResult } from '../store/newResult.ts';
import { rowOf, type StoredResult } from '../store/State.ts';
import { produceValue, type Writer } from '../store/transaction.ts';
import { writeEntities, writeNormalized } from '../store/writeEntity.ts';
import { writeResult } from '../store/writeResult.ts';
import { adopt } from '../util/adopt.ts';
import { describe, HoldfastError, type ErrorCode } from '../util/errors.ts';
import type { Core } from './Core.ts';
import { inResponseOf } from './inResponseOf.ts';
import { readQueryable } from './reading.ts';
import { takeApart } from './takeApart.ts';

/** Selects results by their endpoint's key. */
export interface KeyTest {
  testKey(key: string): boolean;
}

/** Makes the new members of a collection of the present ones. */
type Update = (present: unknown) => unknown;

/** The writes that come from the app itself; each has taken effect when it returns. */
export class Writes {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Merges fields into one entity, has a recipe change its row, or replaces what a collection holds. */
  set(queryable: Schema, args: readonly unknown[], value: unknown): void {
    if (isEntity(queryable)) this.#setEntity(queryable, args, value);
    else this.#setCollection(queryable, args, value);
  }

  #setCollection(schema: Schema, args: readonly unknown[], value: unknown): void {
    const core = this.#core;
    const asked = queryKey(schema, args);
    const members: unknown =
      typeof value === 'function' ? (value as Update)(readQueryable(core.views, schema, args)) : value; // typed by set()
    const { result, entities } = normalize(schema, members, args, 'controller.set()');
    if (typeof asked !== 'string' || result !== asked)
      throw new HoldfastError(
        'HF_NOT_QUERYABLE',
        'controller.set() takes an entity class or a Collection, with args that name it; for an endpoint, use setResponse()',
      );
    this.#write(entities, { type: 'set', args });
  }

  #setEntity(entity: EntityClass, args: readonly unknown[], value: unknown): void {
    const pk = entity.queryKey(args, this.#core.views);
    if (pk === undefined)
      throw refusal('HF_NOT_QUERYABLE', entity, pk, 'its args name none; pass what its pk() is made of');
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || Array.isArray(value))
      throw refusal('HF_SHAPE', entity, pk, `it was given ${describe(value)}; pass fields or a recipe`);
    const action: Action = { type: 'set', name: entity.name, args };
    if (typeof value === 'function')
      this.#change(entity, pk, args, value as (draft: object) => unknown, action); // narrowed by typeof
    else this.#merge(entity, pk, args, value, action);
  }

  setResponse(endpoint: EndpointInterface, args: readonly unknown[], response: unknown): void {
    const core = this.#core;
    const key = endpoint.key(...args);
    const length = endpoint.dataExpiryLength ?? core.options.dataExpiryLength ?? DATA_EXPIRY_LENGTH;
    const normalized = takeApart(core, endpoint, args, response);
    const meta = this.#writtenNow(length, endpoint.sideEffect === true);
    inResponseOf(endpoint, () =>
      core.store.commit(
        (writer) => {
          writeNormalized(writer, normalized, meta);
          if (endpoint.sideEffect === true) return;
          core.schemas.set(key, endpoint.schema);
          writeResult(writer, key, newResult(endpoint.schema, normalized.result, meta));
        },
        { action: { type: 'setResponse', name: endpoint.name, key, args }, origin: 'app' },
      ),
    );
  }

  setError(endpoint: EndpointInterface, args: readonly unknown[], error: unknown): void {
    const core = this.#core;
    const key = endpoint.key(...args);
    const length = endpoint.errorExpiryLength ?? core.options.errorExpiryLength ?? ERROR_EXPIRY_LENGTH;
    const meta = this.#writtenNow(length, false);
    core.store.commit(
      (writer) => {
        writeResult(writer, key, failedResult(writer.result(key), meta, error));
      },
      { action: { type: 'setError', name: endpoint.name, key, args }, origin: 'app' },
    );
  }

  invalidate(endpoint: EndpointInterface, args: readonly unknown[]): void {
    const key = endpoint.key(...args);
    this.#invalidate([key], { type: 'invalidate', name: endpoint.name, key, args });
  }

  invalidateAll(which: KeyTest): void {
    const meta = this.#invalidate(this.#keys(which), { type: 'invalidateAll' });
    this.#core.plugins.revise({
      testKey: (key) => which.testKey(key),
      change: ({ value }) => ({ value, meta, invalidated: true }),
    });
  }

  expireAll(which: KeyTest): void {
    const { store, views } = this.#core;
    const unknown = this.#writtenNow(0, false);
    store.commit(
      (writer) => {
        const expire = (key: string, result: StoredResult): void => {
          if (which.testKey(key)) writer.setResult(key, expired(result));
        };
        store.base.results.forEach((result, key) => expire(key, result));
        // Reads that are served from rows have no result; that they are stale is noted in one.
        for (const key of views.resultKeys())
          if (store.base.results.get(key) === undefined) expire(key, { value: undefined, meta: unknown });
      },
      { action: { type: 'expireAll' }, origin: 'app' },
    );
    this.#core.plugins.revise({ testKey: (key) => which.testKey(key), change: expired });
  }

  #invalidate(keys: Iterable<string>, action: Action): Meta {
    // Counts as a mutation answered now: no read that began before may bring a value back.
    const meta = this.#writtenNow(0, true);
    for (const key of keys) this.#core.inFlight.outdate(key);
    this.#core.store.commit(
      (writer) => {
        for (const key of keys) {
          const result: StoredResult = { value: writer.result(key)?.value, meta, invalidated: true };
          writer.setResult(key, result);
        }
      },
      { action, origin: 'app' },
    );
    return meta;
  }

  #merge(entity: EntityClass, pk: string, args: readonly unknown[], value: object, action: Action): void {
    const isStored = rowOf(this.#core.store.base, entity.key, pk)?.value !== undefined;
    // A stored row has the fields that name it already.
    const input =
      isStored && entity.pk(value, undefined, undefined, args) === undefined
        ? value
        : identified(entity, pk, args, value);
    const { entities } = normalize(entity, input, args, `controller.set(${entity.name})`, pk);
    this.#write(entities, action);
  }

  #change(
    entity: EntityClass,
    pk: string,
    args: readonly unknown[],
    recipe: (draft: object) => unknown,
    action: Action,
  ): void {
    const stored = rowOf(this.#core.store.base, entity.key, pk)?.value;
    if (stored === undefined)
      throw refusal('HF_ROW_MISSING', entity, pk, 'it is not stored; pass a value instead of a recipe');
    const changed = produceValue(stored, recipe);
    if (changed === stored) return;
    if (typeof changed !== 'object' || changed === null || Array.isArray(changed))
      throw refusal(
        'HF_SHAPE',
        entity,
        pk,
        `the recipe returned ${describe(changed)}; change the draft or return a row`,
      );
    const row = { ...changed } as Record<string, unknown>; // a plain object, checked above
    const entities = normalizeRow(entity, row, args);
    const named = entity.pk(row, undefined, undefined, args);
    if (named !== entity.pk(stored, undefined, undefined, args))
      throw refusal(
        'HF_NOT_QUERYABLE',
        entity,
        pk,
        `the recipe made it ${JSON.stringify(named)}; leave its pk`,
      );
    this.#write(entities, action, (writer, meta) => {
      // The recipe saw the whole row, so what it left out is gone.
      writer.setRow(entity.key, pk, { value: adopt(row, stored) as EntityValue, meta }); // adopt() keeps the type
    });
  }

  /** Writes entities as if a mutation had brought them now. */
  #write(
    entities: Normalized['entities'],
    action: Action,
    then?: (writer: Writer, meta: Meta) => void,
  ): void {
    const { options, registry, store } = this.#core;
    registry.addAll(entities);
    const meta = this.#writtenNow(options.dataExpiryLength ?? DATA_EXPIRY_LENGTH, true);
    store.commit(
      (writer) => {
        writeEntities(writer, entities, meta);
        then?.(writer, meta);
      },
      { action, origin: 'app' },
    );
  }

  #keys(which: KeyTest): Set<string> {
    const keys = new Set<string>();
    const { store, views, inFlight } = this.#core;
    for (const [key] of store.base.results.entries()) if (which.testKey(key)) keys.add(key);
    // Reads that are served from rows have no result; what is invalid or stale of them is noted in one.
    for (const key of views.resultKeys())
      if (store.base.results.get(key) === undefined && which.testKey(key)) keys.add(key);
    // What is asked for the first time has neither, yet its answer may be from before.
    for (const key of inFlight.begun()) if (which.testKey(key)) keys.add(key);
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

function expired(result: StoredResult): StoredResult {
  return { ...result, meta: { ...result.meta, expiresAt: 0 } };
}

/**
 * The value with what names the entity: where it does not say so itself, the args do.
 *
 * @throws HoldfastError `HF_NOT_QUERYABLE` when value and args name different entities
 */
function identified(entity: EntityClass, pk: string, args: readonly unknown[], value: object): object {
  if (originOf(value) !== undefined) return value;
  const own = entity.pk(value, undefined, undefined, args);
  if (own === pk) return value;
  const [named] = args;
  if (own === undefined || typeof named === 'object') {
    const completed = typeof named === 'object' ? { ...named, ...value } : { id: named, ...value };
    // The args may only have said in part what the value says in full, such as one half of a composite pk.
    if (entity.pk(completed, undefined, undefined, args) === pk) return completed;
    if (own === undefined) return value;
  }
  throw refusal(
    'HF_NOT_QUERYABLE',
    entity,
    pk,
    `the value is ${JSON.stringify(own)}; args and value must agree`,
  );
}

function refusal(
  code: ErrorCode,
  entity: EntityClass,
  pk: string | undefined,
  problem: string,
): HoldfastError {
  const what = pk === undefined ? entity.name : `${entity.name} ${JSON.stringify(pk)}`;
  return new HoldfastError(code, `controller.set() of ${what}: ${problem}`);
}
