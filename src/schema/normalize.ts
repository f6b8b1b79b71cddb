import { describe, HoldfastError } from '../util/errors.ts';
import { checkList } from './checkList.ts';
import type { EntityValue } from './Meta.ts';
import type {
  CollectionUpdate,
  EntityClass,
  Identified,
  NormalizeVisitor,
  ObjectSchema,
  Schema,
  SchemaObject,
} from './Schema.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import { givenFields, originOf } from './Origin.ts';
import { toPk } from './pk.ts';
import { getOrInsert } from '../util/getOrInsert.ts';

/** One entity found in a response; `value` is undefined where it was deleted. */
export interface FoundEntity {
  readonly entity: EntityClass;
  readonly pk: string;
  readonly value: object | undefined;
  /** Fields of the value that another class of the table declares as relations, and that hold no entity for it. */
  readonly unrelated?: ReadonlyMap<string, Unrelated>;
}

/** What a field holds, and the schema that it does not fit. */
export interface Unrelated {
  readonly schema: Schema;
  readonly value: unknown;
}

/** The classes that read each table, as far as they have been met. */
export interface Siblings {
  /** The relations that other classes of an entity's table declare, and it does not; notes its class. */
  undeclared(entity: EntityClass): ReadonlyMap<string, Schema> | undefined;
}

/** A response taken apart: its shape with pks in place of entities, and the entities by table and pk. */
export interface Normalized {
  readonly result: unknown;
  readonly entities: ReadonlyMap<string, ReadonlyMap<string, FoundEntity>>;
  /** Changes of stored collections, in their order. */
  readonly updates: readonly CollectionUpdate[];
}

/** The pk of the outermost entity where its value has none. */
export interface RootPk {
  readonly pk: string;
  /**
   * Where the entity is only being made: the fields that are to hold the pk if they are blank, such as the path
   * parameter that names it. The pk is temporary then, and stands in for what is blank of the entity's own.
   */
  readonly fields?: readonly string[];
}

/** Deepest nesting of entities in one response. */
export const MAX_DEPTH = 1_000;

/**
 * Where entities nest this deep, the response may be a graph with cycles, which no JSON is. Then it is normalized from
 * the start, with a note of every object that was met, which would cost others a tenth of the time. Every so many levels
 * the rest waits in a list until the stack has unwound: how deep a response may be must not depend on the stack.
 */
const CYCLE_DEPTH = 32;

/** Thrown at that depth. */
const MAY_BE_CYCLIC = Symbol('may be cyclic');

/** Longer paths are shown without their middle in errors. */
const SHOWN_STEPS = 12;

/**
 * Takes a response apart: nested entities are hoisted out and replaced by their pks. Never changes the response.
 *
 * @param source - names the endpoint in errors
 * @param siblings - the classes that share tables: what one of them declares as a relation is one, whoever reads it
 * @throws HoldfastError `HF_SHAPE`, `HF_TOO_DEEP`, `HF_PK_MISSING`, `HF_PK_UNDEFINED`, `HF_PROCESS`
 */
export function normalize(
  schema: Schema,
  input: unknown,
  args: readonly unknown[] = [],
  source = 'a value',
  rootPk?: RootPk,
  siblings?: Siblings,
): Normalized {
  return acyclic((visited) => {
    const normalizer = new Normalizer({ args, source, siblings, visited, rootPk });
    const { entities, updates } = normalizer;
    if (input === null || input === undefined) return { result: input, entities, updates };
    // Inside a response a string stands for an entity by its pk; a whole response that is a string is not one.
    if (typeof input !== 'object' && isEntity(schema))
      normalizer.mismatch(`an object (${schema.name})`, input);
    const result = normalizer.visit(schema, input, input, undefined);
    normalizer.normalizeDeferred();
    return { result, entities, updates };
  });
}

/**
 * Takes apart a row that the user changed in place: fields that were given entities hold their pks again. The row
 * itself has been processed before and is not processed again.
 *
 * @param row - the fields of the row; a copy, whose fields may be set
 */
export function normalizeRow(
  entity: EntityClass,
  pk: string,
  row: Record<string, unknown>,
  args: readonly unknown[],
  siblings?: Siblings,
): Normalized['entities'] {
  return acyclic((visited) => {
    const normalizer = new Normalizer({ args, source: `a change of ${entity.name}`, siblings, visited });
    for (const [field, { value }] of normalizer.fields(entity, pk, row) ?? []) row[field] = value;
    normalizer.normalizeDeferred();
    return normalizer.entities;
  });
}

/**
 * Normalizes what a stored row holds in one field, by a schema that was not known when it was stored.
 *
 * @param row - the fields of the row; not changed
 * @returns undefined where that is nothing the schema can read
 */
export function normalizeField(
  schema: Schema,
  row: Readonly<Record<string, unknown>>,
  field: string,
  siblings?: Siblings,
): Normalized | undefined {
  try {
    return acyclic((visited) => {
      const normalizer = new Normalizer({ args: [], source: 'a stored row', siblings, visited });
      const result = normalizer.nested(schema, row, field);
      normalizer.normalizeDeferred();
      return { result, entities: normalizer.entities, updates: normalizer.updates };
    });
  } catch {
    return undefined;
  }
}

/** The entities that an object was taken for, with their pks. */
type Visited = Map<object, Map<EntityClass, Set<string>>>;

/** Runs once more with a note of what was met where the data may have cycles. */
function acyclic<T>(run: (visited?: Visited) => T): T {
  try {
    return run();
  } catch (error) {
    if (error !== MAY_BE_CYCLIC) throw error;
    return run(new Map());
  }
}

interface NormalizerOptions {
  readonly args: readonly unknown[];
  readonly source: string;
  readonly siblings: Siblings | undefined;
  readonly visited: Visited | undefined;
  readonly rootPk?: RootPk | undefined;
}

/** What a response has for one class of a table. */
interface FoundTable {
  /** Those of all classes of the table. */
  readonly rows: Map<string, FoundEntity>;
  readonly declared: readonly DeclaredField[];
  undeclared: ReadonlyMap<string, Schema> | undefined;
}

/** A field that a class has a schema for. */
interface DeclaredField {
  readonly field: string;
  readonly schema: Schema;
  /** The schema, where it sees to what is stored in the field itself. */
  readonly keeper: SchemaObject | undefined;
}

/** An entity whose fields have not been normalized yet, and where it is. */
interface DeferredEntity {
  readonly entity: EntityClass;
  readonly pk: string;
  readonly value: Record<string, unknown>;
  readonly path: (string | number)[];
  readonly depth: number;
}

class Normalizer implements NormalizeVisitor {
  readonly entities = new Map<string, Map<string, FoundEntity>>();
  readonly updates: CollectionUpdate[] = [];
  readonly args: readonly unknown[];
  readonly #source: string;
  readonly #rootPk: RootPk | undefined;
  readonly #siblings: Siblings | undefined;
  readonly #visited: Visited | undefined;
  readonly #tables = new Map<EntityClass, FoundTable>();
  /** Where in the response we are, for errors. */
  #path: (string | number)[] = [];
  #depth = 0;
  /** Entities whose fields are normalized once the stack has unwound. */
  readonly #deferred: DeferredEntity[] = [];
  /** Whether this is within a relation that only another class declares. */
  #isUndeclared = false;

  constructor({ args, source, siblings, visited, rootPk }: NormalizerOptions) {
    this.args = args;
    this.#siblings = siblings;
    this.#visited = visited;
    this.#source = source;
    this.#rootPk = rootPk;
  }

  get step(): string | number | undefined {
    return this.#path.at(-1);
  }

  visit(schema: Schema, input: unknown, parent: unknown, key: string | undefined): unknown {
    if (input === null || input === undefined) return input;
    if (isEntity(schema)) return this.#entity(schema, input, parent, key);
    // A converter's value is stored as it arrived and converted when joined.
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
    this.#put(this.#table(entity).rows, entity, pk, value, undefined);
  }

  #put(
    rows: Map<string, FoundEntity>,
    entity: EntityClass,
    pk: string,
    value: object,
    unrelated: FoundEntity['unrelated'],
  ): void {
    const found = rows.get(pk);
    if (found?.value === undefined) {
      rows.set(pk, unrelated === undefined ? { entity, pk, value } : { entity, pk, value, unrelated });
      return;
    }
    const merged = entity.merge(found.value as EntityValue, value as EntityValue); // processed values are plain objects
    const others = unrelated ?? found.unrelated;
    // Most of what a response repeats is the same each time.
    if (merged !== found.value || entity !== found.entity || others !== found.unrelated)
      rows.set(pk, { entity, pk, value: merged, ...(others && { unrelated: others }) });
  }

  remove(entity: EntityClass, pk: string): void {
    this.#table(entity).rows.set(pk, { entity, pk, value: undefined });
  }

  update(change: CollectionUpdate): void {
    this.updates.push(change);
  }

  identify(entity: EntityClass, input: object, parent: unknown, key: string | undefined): Identified {
    const processed = entity.process(input, parent, key, this.args);
    if (typeof processed !== 'object' || processed === null) {
      throw new HoldfastError(
        'HF_PROCESS',
        `${entity.name}.process() returned ${describe(processed)} for ${this.#where()}; return an object`,
      );
    }
    // What is stored is a plain object of our own: fields are set in it, and it must survive structured clone.
    const isOwn = processed !== input && Object.getPrototypeOf(processed) === Object.prototype;
    const value = (isOwn ? processed : { ...processed }) as Record<string, unknown>; // a plain object by now
    const root = this.#depth === 0 ? this.#rootPk : undefined;
    const pk =
      root?.fields === undefined
        ? (entity.pk(value, parent, key, this.args) ?? root?.pk)
        : this.#temporaryPk(root, entity, value, parent, key);
    if (pk === undefined) {
      throw new HoldfastError(
        'HF_PK_MISSING',
        `${this.#where()} is ${describe(input)} without a primary key for ${entity.name}; check its pk()`,
      );
    }
    return { pk, value };
  }

  /** Apart from `identify`, in which a closure would cost each entity. */
  #temporaryPk(
    root: RootPk,
    entity: EntityClass,
    value: Record<string, unknown>,
    parent: unknown,
    key: string | undefined,
  ): string {
    return temporaryPk(root, value, entity, () => entity.pk(value, parent, key, this.args));
  }

  mismatch(expected: string, input: unknown): never {
    throw new HoldfastError(
      'HF_SHAPE',
      `${this.#where()} should be ${expected}, but ${describe(input)} arrived; check the schema`,
    );
  }

  /**
   * Replaces what the fields of a processed value hold by pks, in place. What other classes of the table declare as
   * relations is one here too, or this value would take the relation away from whoever reads it by them.
   *
   * @returns what it left out of the value, since it is nothing that those classes can read
   */
  fields(
    entity: EntityClass,
    pk: string,
    value: Record<string, unknown>,
    { declared, undeclared } = this.#table(entity),
  ): FoundEntity['unrelated'] {
    const unrelated = undeclared && this.#undeclaredFields(undeclared, value);
    this.#depth += 1;
    for (const { field, schema, keeper } of declared) {
      if (keeper !== undefined) {
        const given = Object.hasOwn(value, field) ? value[field] : undefined;
        value[field] = keeper.normalizeField?.(given, field, entity, pk, this);
        continue;
      }
      // Own fields only: a field named like a member of Object.prototype is ordinary data.
      if (!Object.hasOwn(value, field)) continue;
      const nested = value[field];
      if (nested === null || nested === undefined) continue;
      this.#path.push(field);
      const normalized = this.visit(schema, nested, value, field);
      this.#path.pop();
      if (normalized !== nested) value[field] = normalized;
    }
    this.#depth -= 1;
    return unrelated;
  }

  /** `visit` for what a row holds in one field. */
  nested(schema: Schema, row: Readonly<Record<string, unknown>>, field: string): unknown {
    this.#depth += 1;
    this.#path.push(field);
    const normalized = this.visit(schema, row[field], row, field);
    this.#path.pop();
    this.#depth -= 1;
    return normalized;
  }

  #undeclaredFields(
    undeclared: ReadonlyMap<string, Schema>,
    value: Record<string, unknown>,
  ): FoundEntity['unrelated'] {
    let unrelated: Map<string, Unrelated> | undefined;
    const [steps, depth, deferred] = [this.#path.length, this.#depth, this.#deferred.length];
    const isUndeclared = this.#isUndeclared;
    this.#isUndeclared = true;
    for (const [field, schema] of undeclared) {
      if (!Object.hasOwn(value, field)) continue;
      const nested = value[field];
      if (nested === null || nested === undefined) continue;
      try {
        value[field] = this.nested(schema, value, field);
        // Only by the outermost: else each would add to the stack.
        if (!isUndeclared) this.normalizeDeferred(deferred);
      } catch (error) {
        if (error === MAY_BE_CYCLIC) throw error;
        // The class that this arrived for declares nothing of the kind, so to it nothing is wrong.
        this.#path.length = steps;
        this.#depth = depth;
        this.#deferred.length = deferred;
        (unrelated ??= new Map<string, Unrelated>()).set(field, { schema, value: nested });
        Reflect.deleteProperty(value, field);
      }
    }
    this.#isUndeclared = isUndeclared;
    return unrelated;
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
    if (this.#isVisited(entity, pk, input)) return pk;
    const depth = this.#depth;
    if (depth > 0 && depth % CYCLE_DEPTH === 0)
      this.#deferred.push({ entity, pk, value, path: [...this.#path], depth });
    else this.#normalizeMembers(entity, pk, value);
    return pk;
  }

  #normalizeMembers(entity: EntityClass, pk: string, value: Record<string, unknown>): void {
    const table = this.#table(entity);
    const unrelated = this.fields(entity, pk, value, table);
    this.#put(table.rows, entity, pk, value, unrelated);
  }

  /** Normalizes what waits for the stack to unwind, and what that adds; from one place in the list on. */
  normalizeDeferred(from = 0): void {
    const deferred = this.#deferred;
    const [path, depth] = [this.#path, this.#depth];
    try {
      for (let index = from; index < deferred.length; index++) {
        const next = deferred[index] as DeferredEntity; // it is in the list
        this.#path = next.path;
        this.#depth = next.depth;
        this.#normalizeMembers(next.entity, next.pk, next.value);
      }
      deferred.length = from;
    } finally {
      this.#path = path;
      this.#depth = depth;
    }
  }

  /** Whether this very object was met as that entity before; never where it cannot have been. */
  #isVisited(entity: EntityClass, pk: string, input: object): boolean {
    const visited = this.#visited;
    if (visited === undefined) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught by acyclic(), and by nothing of the user's
      if (this.#depth === CYCLE_DEPTH) throw MAY_BE_CYCLIC;
      return false;
    }
    const pks = getOrInsert(
      getOrInsert(visited, input, () => new Map<EntityClass, Set<string>>()),
      entity,
      () => new Set<string>(),
    );
    return pks.size === pks.add(pk).size;
  }

  /**
   * Members see the list's own parent and field, so that `process` can tell who holds them. Null and undefined members
   * are left out, as those are that are missing.
   */
  #list(schema: readonly Schema[], input: unknown, parent: unknown, key: string | undefined): unknown[] {
    if (!Array.isArray(input)) this.mismatch('a list', input);
    if (process.env.NODE_ENV !== 'production') checkList(schema, `the endpoint schema of ${this.#source}`);
    const member = schema[0]; // lists have one member schema
    const normalized: unknown[] = [];
    for (let index = 0; index < input.length; index++) {
      const item: unknown = input[index];
      if (item === null || item === undefined) continue;
      // Not by member(): each frame counts where lists nest entities to the limit.
      this.#path.push(index);
      normalized.push(this.visit(member, item, parent, key));
      this.#path.pop();
    }
    return normalized;
  }

  #object(schema: ObjectSchema, input: unknown): object {
    if (typeof input !== 'object' || Array.isArray(input)) {
      this.mismatch(`an object with ${Object.keys(schema).join(', ') || 'any fields'}`, input);
    }
    const normalized = { ...input } as Record<string, unknown>; // visit() sends no null here
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(normalized, field)) continue;
      this.#path.push(field);
      normalized[field] = this.visit(schema[field], normalized[field], input, field);
      this.#path.pop();
    }
    return normalized;
  }

  #table(entity: EntityClass): FoundTable {
    return this.#tables.get(entity) ?? this.#meet(entity);
  }

  #meet(entity: EntityClass): FoundTable {
    const rows = getOrInsert(this.entities, entity.key, () => new Map<string, FoundEntity>());
    const undeclared = this.#siblings?.undeclared(entity);
    const table: FoundTable = { rows, declared: declaredBy(entity), undeclared };
    this.#tables.set(entity, table);
    // What it declares is a relation to those that were met before it, too.
    for (const [other, known] of this.#tables)
      if (known.rows === rows) known.undeclared = this.#siblings?.undeclared(other);
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

function declaredBy({ schema: schemas }: EntityClass): readonly DeclaredField[] {
  return Object.entries(schemas).map(([field, schema]) => {
    const keeper = isSchemaObject(schema) && schema.normalizeField !== undefined ? schema : undefined;
    return { field, schema, keeper };
  });
}

/**
 * The pk of an entity that is being made, whose own may be missing in whole or in part. Fills the fields that it is made
 * of, as far as they are blank, and those of `root`, so that what is shown can be linked to.
 *
 * @param value - fields may be set in it
 * @param identify - gives what the class makes of `value`
 */
function temporaryPk(
  { pk, fields = [] }: RootPk,
  value: Record<string, unknown>,
  { defaults }: EntityClass,
  identify: () => string | undefined,
): string {
  const own = (): string | undefined => {
    try {
      return identify();
    } catch {
      return undefined; // a pk() that needs more than there is yet
    }
  };
  const given = own();
  let filled = given;
  // Any field may be what a pk that is missing as a whole is made of.
  const named = new Set([...fields, 'id', ...(given === undefined ? Object.keys(defaults) : [])]);
  for (const field of named) {
    const before = value[field];
    const isBlank = before === undefined || before === null || before === '';
    if (!isBlank || !Object.hasOwn(defaults, field)) continue;
    const had = Object.hasOwn(value, field);
    value[field] = pk;
    const changed = own();
    if (changed !== filled && changed?.includes(pk) === true) filled = changed;
    else if (!fields.includes(field)) {
      if (had) value[field] = before;
      else Reflect.deleteProperty(value, field);
    }
  }
  return filled ?? pk;
}
