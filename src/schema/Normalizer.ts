import { describe, HoldfastError } from '../util/errors.ts';
import { checkReturned, isFields } from './checkReturned.ts';
import { isOpaque } from '../util/isPlain.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import { checkDefined, checkEntityFields, checkList } from './checkSchema.ts';
import { classPlan } from './entity/classPlan.ts';
import { givenFields, isBlank, originOf } from './entity/Origin.ts';
import { toPk } from './entity/pk.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import type { EntityValue } from './Meta.ts';
import type { NormalizedEntity } from './Normalized.ts';
import { temporaryPk, type RootPk } from './rootPk.ts';
import type {
  CollectionUpdate,
  EntityClass,
  Identified,
  NormalizeVisitor,
  ObjectSchema,
  Schema,
  SchemaObject,
} from './Schema.ts';

/** Maximum nesting of entities in one response. */
const MAX_DEPTH = 1_000;

/**
 * At this nesting, the response may be a graph with cycles, which JSON cannot express. Then it is normalized again
 * from the start, recording every object visited, which would make all others a tenth slower. At intervals of this
 * depth, the remaining work goes into a list until the stack has unwound: the possible depth of a response must not
 * depend on the stack.
 */
const CYCLE_DEPTH = 32;

/** Thrown at that depth. */
export const MAY_BE_CYCLIC = Symbol('may be cyclic');

/** Longer paths are shown without their middle in errors. */
const SHOWN_STEPS = 12;

/** The entities that an object was visited as, with their pks. */
type Visited = Map<object, Map<EntityClass, Set<string>>>;

/** What a `Normalizer` works with. */
export interface NormalizerOptions {
  readonly args: readonly unknown[];
  readonly source: string;
  readonly visited?: Visited;
  readonly rootPk?: RootPk | undefined;
}

/** A table that a response has rows of, as one of its classes reads it. */
interface FoundTable {
  /** Those of all classes of the table. */
  readonly rows: Map<string, NormalizedEntity>;
  readonly declared: readonly DeclaredField[];
  /** The fields of its class with functions as defaults. */
  readonly functions: readonly string[];
}

/** A field that a class has a schema for. */
interface DeclaredField {
  readonly field: string;
  readonly schema: Schema;
  /** The schema, if it handles the field's stored value itself. */
  readonly fieldNormalizer: SchemaObject | undefined;
}

/** An entity whose fields have not been normalized yet, and its position. */
interface DeferredEntity {
  readonly entity: EntityClass;
  readonly pk: string;
  readonly value: Record<string, unknown>;
  readonly path: (string | number)[];
  readonly depth: number;
}

/** Normalizes one value: collects its entities, and keeps track of where it is. */
export class Normalizer implements NormalizeVisitor {
  readonly entities = new Map<string, Map<string, NormalizedEntity>>();
  readonly updates: CollectionUpdate[] = [];
  readonly args: readonly unknown[];
  readonly #source: string;
  readonly #rootPk: RootPk | undefined;
  readonly #visited: Visited | undefined;
  readonly #tables = new Map<EntityClass, FoundTable>();
  /** The current path in the response, for errors. */
  #path: (string | number)[] = [];
  #depth = 0;
  /** Entities whose fields are normalized once the stack has unwound. */
  readonly #deferred: DeferredEntity[] = [];
  /** How many entities have a temporary pk, and whether the root's own is taken. */
  #created = 0;
  #isRootCreated = false;

  constructor({ args, source, visited, rootPk }: NormalizerOptions) {
    this.args = args;
    this.#visited = visited;
    this.#source = source;
    this.#rootPk = rootPk;
  }

  get step(): string | number | undefined {
    return this.#path.at(-1);
  }

  get isInEntity(): boolean {
    return this.#depth > 0;
  }

  visit(schema: Schema, input: unknown, parent: unknown, key: string | undefined): unknown {
    if (input === null || input === undefined) return input;
    if (isEntity(schema)) return this.#entity(schema, input, parent, key);
    // A converter's value is stored as it arrived and converted during denormalization.
    if (isConverter(schema) || typeof schema !== 'object' || schema === null) return input;
    if (Array.isArray(schema)) return this.#list(schema, input, parent, key);
    if (isSchemaObject(schema)) return schema.normalize(input, parent, key, this);
    return this.#object(schema as ObjectSchema, input); // what is left of the union
  }

  member(
    schema: Schema,
    input: unknown,
    parent: unknown,
    key: string | undefined,
    step: string | number,
  ): unknown {
    this.#path.push(step);
    const normalized = this.visit(schema, input, parent, key);
    this.#path.pop();
    return normalized;
  }

  put(entity: EntityClass, pk: string, value: object): void {
    this.#put(this.#table(entity).rows, entity, pk, value as EntityValue); // processed: a plain object
  }

  #put(rows: Map<string, NormalizedEntity>, entity: EntityClass, pk: string, value: EntityValue): void {
    const found = rows.get(pk);
    if (found?.value === undefined) {
      rows.set(pk, { entity, pk, value });
      return;
    }
    const merged = checkReturned(entity.name, 'merge', entity.merge(found.value, value));
    // Most parts that a response repeats are identical objects.
    if (merged !== found.value || entity !== found.entity) rows.set(pk, { entity, pk, value: merged });
  }

  remove(entity: EntityClass, pk: string): void {
    this.#table(entity).rows.set(pk, { entity, pk, value: undefined });
  }

  update(change: CollectionUpdate): void {
    this.updates.push(change);
  }

  identify(entity: EntityClass, input: object, parent: unknown, key: string | undefined): Identified {
    const processed = entity.process(input, parent, key, this.args);
    const isOwn =
      processed !== input &&
      typeof processed === 'object' &&
      processed !== null &&
      Object.getPrototypeOf(processed) === Object.prototype;
    if (!isOwn && !isFields(processed)) {
      throw new HoldfastError(
        'HF_PROCESS',
        `${entity.name}.process() returned ${describe(processed)} for ${this.#where()}; return an object`,
      );
    }
    // The stored value is a new plain object: its fields are set here, and it must survive structured clone.
    const value = (isOwn ? processed : { ...processed }) as Record<string, unknown>; // checked to be a plain object
    const root = this.#rootPk;
    const pk =
      root?.fields === undefined
        ? (entity.pk(value, parent, key, this.args) ?? (this.#depth === 0 ? root?.pk : undefined))
        : this.#temporaryPk(root, entity, value, parent, key);
    if (pk === undefined) {
      throw new HoldfastError(
        'HF_PK_MISSING',
        `${this.#where()} is ${describe(input)} without a primary key for ${entity.name}; check its pk()`,
      );
    }
    return { pk, value };
  }

  /** Separate from `identify`, where a closure would cost time for every entity. */
  #temporaryPk(
    root: RootPk,
    entity: EntityClass,
    value: Record<string, unknown>,
    parent: unknown,
    key: string | undefined,
  ): string {
    const isRoot = this.#depth === 0;
    const isFirst = isRoot && !this.#isRootCreated;
    // The same at each replay, by position.
    const pk = isFirst ? root.pk : `${root.pk}~${this.#created}`;
    const fields = isRoot ? root.fields : undefined;
    const found = temporaryPk({ pk, fields }, value, entity, () => entity.pk(value, parent, key, this.args));
    if (found.includes(pk)) {
      this.#created += 1;
      this.#isRootCreated ||= isFirst;
    }
    return found;
  }

  mismatch(expected: string, input: unknown): never {
    throw new HoldfastError(
      'HF_SHAPE',
      `${this.#where()} should be ${expected}, but ${describe(input)} arrived; check the schema`,
    );
  }

  /** Replaces entities in the fields of a processed value by their pks, in place. */
  fields(
    entity: EntityClass,
    pk: string,
    value: Record<string, unknown>,
    { declared, functions } = this.#table(entity),
  ): void {
    this.#depth += 1;
    // A copy of an instance has its functions, which IndexedDB could not store.
    for (const field of functions)
      if (typeof value[field] === 'function') Reflect.deleteProperty(value, field);
    for (const { field, schema, fieldNormalizer } of declared) {
      if (fieldNormalizer !== undefined) {
        const given = Object.hasOwn(value, field) ? value[field] : undefined;
        value[field] = fieldNormalizer.normalizeField?.(given, field, entity, pk, this);
        continue;
      }
      // Own fields only: a field with the name of a member of Object.prototype is ordinary data.
      if (!Object.hasOwn(value, field)) continue;
      const nested = value[field];
      if (nested === null || nested === undefined) continue;
      if (isBlank(nested)) {
        // A default, as in `{ ...article }`: the row has no such relation.
        Reflect.deleteProperty(value, field);
        continue;
      }
      this.#path.push(field);
      const normalized = this.visit(schema, nested, value, field);
      this.#path.pop();
      if (normalized !== nested) value[field] = normalized;
    }
    this.#depth -= 1;
  }

  /** `visit` for the value of one field of a row. */
  nested(schema: Schema, row: Readonly<Record<string, unknown>>, field: string): unknown {
    this.#depth += 1;
    this.#path.push(field);
    const normalized = this.visit(schema, row[field], row, field);
    this.#path.pop();
    this.#depth -= 1;
    return normalized;
  }

  #entity(entity: EntityClass, input: unknown, parent: unknown, key: string | undefined): string {
    if (typeof input !== 'object' || input === null) {
      // A string or number is a reference by pk, as if already normalized.
      const reference = typeof input === 'string' || typeof input === 'number' ? toPk(input) : undefined;
      return reference ?? this.mismatch(`an object or a pk (${entity.name})`, input);
    }
    if (Array.isArray(input)) this.mismatch(`an object (${entity.name})`, input);
    if (this.#depth >= MAX_DEPTH) {
      throw new HoldfastError(
        'HF_TOO_DEEP',
        `${this.#where()} nests more than ${MAX_DEPTH} entities, here ${entity.name}; return flatter data`,
      );
    }
    const origin = originOf(input);
    if (typeof origin === 'string') return origin;
    const data = origin === undefined ? input : givenFields(input, origin, entity.defaults);
    const { pk, value } = this.identify(entity, data, parent, key);
    const depth = this.#depth;
    if (this.#visited !== undefined) {
      if (isVisited(this.#visited, entity, pk, input)) return pk;
    } else if (depth === CYCLE_DEPTH) {
      // oxlint-disable-next-line typescript/only-throw-error -- caught in normalize.ts, and by nothing of the user's
      throw MAY_BE_CYCLIC;
    }
    if (depth > 0 && depth % CYCLE_DEPTH === 0)
      this.#deferred.push({ entity, pk, value, path: [...this.#path], depth });
    else this.#normalizeMembers(entity, pk, value);
    return pk;
  }

  #normalizeMembers(entity: EntityClass, pk: string, value: Record<string, unknown>): void {
    const table = this.#table(entity);
    this.fields(entity, pk, value, table);
    this.#put(table.rows, entity, pk, value);
  }

  /** Normalizes the postponed entities, and those that are added while it runs. */
  normalizeDeferred(): void {
    // Iterating a list also visits members added during the iteration.
    for (const { entity, pk, value, path, depth } of this.#deferred) {
      this.#path = path;
      this.#depth = depth;
      this.#normalizeMembers(entity, pk, value);
    }
  }

  /**
   * Members get the list's own parent and field, so that `process` knows their owner. Null and undefined members are
   * left out, as missing ones are.
   */
  #list(schema: readonly Schema[], input: unknown, parent: unknown, key: string | undefined): unknown[] {
    if (!Array.isArray(input)) this.mismatch('a list', input);
    if (process.env.NODE_ENV !== 'production') checkList(schema, `the endpoint schema of ${this.#source}`);
    const member = schema[0]; // lists have one member schema
    const normalized: unknown[] = [];
    for (let index = 0; index < input.length; index++) {
      const item: unknown = input[index];
      if (item === null || item === undefined) continue;
      // Does not use member(): each stack frame counts where lists nest entities to the limit.
      this.#path.push(index);
      normalized.push(this.visit(member, item, parent, key));
      this.#path.pop();
    }
    return normalized;
  }

  #object(schema: ObjectSchema, input: unknown): object {
    if (typeof input !== 'object' || Array.isArray(input) || isOpaque(input as object)) {
      this.mismatch(`an object with ${Object.keys(schema).join(', ') || 'any fields'}`, input);
    }
    const normalized = { ...input } as Record<string, unknown>; // visit() sends no null here
    for (const field of Object.keys(schema)) {
      if (process.env.NODE_ENV !== 'production')
        checkDefined(schema[field], `In the endpoint schema of ${this.#source}, ${field}`);
      if (!Object.hasOwn(normalized, field)) continue;
      this.#path.push(field);
      normalized[field] = this.visit(schema[field], normalized[field], input, field);
      this.#path.pop();
    }
    return normalized;
  }

  #table(entity: EntityClass): FoundTable {
    return this.#tables.get(entity) ?? this.#registerTable(entity);
  }

  #registerTable(entity: EntityClass): FoundTable {
    const rows = getOrInsert(this.entities, entity.key, () => new Map<string, NormalizedEntity>());
    const { functions } = classPlan(entity);
    const table: FoundTable = { rows, declared: declaredBy(entity), functions };
    this.#tables.set(entity, table);
    return table;
  }

  #where(): string {
    const steps = this.#path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    if (steps.length > SHOWN_STEPS) steps.splice(SHOWN_STEPS / 2, steps.length - SHOWN_STEPS, ' … ');
    const path = steps.join('');
    return path === ''
      ? `the response of ${this.#source}`
      : `${path.replace(/^\./, '')} in the response of ${this.#source}`;
  }
}

/** Whether this very object was visited as that entity before; records that it is now. */
function isVisited(visited: Visited, entity: EntityClass, pk: string, input: object): boolean {
  const pks = getOrInsert(
    getOrInsert(visited, input, () => new Map<EntityClass, Set<string>>()),
    entity,
    () => new Set<string>(),
  );
  return pks.size === pks.add(pk).size;
}

function declaredBy(entity: EntityClass): readonly DeclaredField[] {
  const { name, schema: schemas } = entity;
  if (process.env.NODE_ENV !== 'production') checkEntityFields(entity);
  const declared: DeclaredField[] = [];
  for (const field of Object.keys(schemas)) {
    const schema = schemas[field];
    if (process.env.NODE_ENV !== 'production') checkDefined(schema, `schema.${field} of ${name}`);
    const fieldNormalizer =
      isSchemaObject(schema) && schema.normalizeField !== undefined ? schema : undefined;
    declared.push({ field, schema, fieldNormalizer });
  }
  return declared;
}
