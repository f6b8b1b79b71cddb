import { describe, HoldfastError } from '../util/errors.ts';
import type { EntityValue } from './Meta.ts';
import type {
  CollectionUpdate,
  EntityClass,
  Identified,
  NormalizeVisitor,
  ObjectSchema,
  Schema,
} from './Schema.ts';
import { isConverter, isEntity, isSchemaObject } from './isEntity.ts';
import { givenFields, JOINED, originOf } from './Origin.ts';
import { toPk } from './pk.ts';

/** One entity found in a response; `value` is undefined where it was deleted. */
export interface FoundEntity {
  readonly entity: EntityClass;
  readonly pk: string;
  readonly value: object | undefined;
}

/** A response taken apart: its shape with pks in place of entities, and the entities by table and pk. */
export interface Normalized {
  readonly result: unknown;
  readonly entities: ReadonlyMap<string, ReadonlyMap<string, FoundEntity>>;
  /** Changes of stored collections, in their order. */
  readonly updates: readonly CollectionUpdate[];
}

/** Deepest nesting of entities in one response. */
export const MAX_DEPTH = 1_000;

/** Longer paths are shown without their middle in errors. */
const SHOWN_STEPS = 12;

/**
 * Takes a response apart: nested entities are hoisted out and replaced by their pks. Never changes the response.
 *
 * @param source - names the endpoint in errors
 * @param rootPk - the pk of the outermost entity where its value has none
 * @param isMade - whether that entity is only being made, so that its `id` is to be that pk
 * @throws HoldfastError `HF_SHAPE`, `HF_TOO_DEEP`, `HF_PK_MISSING`, `HF_PK_UNDEFINED`, `HF_PROCESS`
 */
export function normalize(
  schema: Schema,
  input: unknown,
  args: readonly unknown[] = [],
  source = 'a value',
  rootPk?: string,
  isMade = false,
): Normalized {
  const normalizer = new Normalizer(args, source, rootPk, isMade);
  const { entities, updates } = normalizer;
  if (input === null || input === undefined) return { result: input, entities, updates };
  // Inside a response a string stands for an entity by its pk; a whole response that is a string is not one.
  if (typeof input !== 'object' && isEntity(schema)) normalizer.mismatch(`an object (${schema.name})`, input);
  return { result: normalizer.visit(schema, input, input, undefined), entities, updates };
}

/**
 * Takes apart a row that the user changed in place: fields that were given entities hold their pks again. The row
 * itself has been processed before and is not processed again.
 *
 * @param row - the fields of the row; a copy, whose fields may be set
 */
export function normalizeRow(
  entity: EntityClass,
  row: Record<string, unknown>,
  args: readonly unknown[],
): Normalized['entities'] {
  const normalizer = new Normalizer(args, `a change of ${entity.name}`);
  normalizer.fields(entity, row);
  return normalizer.entities;
}

class Normalizer implements NormalizeVisitor {
  readonly entities = new Map<string, Map<string, FoundEntity>>();
  readonly updates: CollectionUpdate[] = [];
  readonly args: readonly unknown[];
  readonly #source: string;
  readonly #rootPk: string | undefined;
  readonly #isMade: boolean;
  /** Where in the response we are, for errors. */
  readonly #path: (string | number)[] = [];
  #depth = 0;

  constructor(args: readonly unknown[], source: string, rootPk?: string, isMade = false) {
    this.args = args;
    this.#source = source;
    this.#rootPk = rootPk;
    this.#isMade = isMade;
  }

  visit(schema: Schema, input: unknown, parent: unknown, key: string | undefined): unknown {
    if (input === null || input === undefined) return input;
    if (isEntity(schema)) return this.#entity(schema, input, parent, key);
    // A converter's value is stored as it arrived and converted when joined.
    if (isConverter(schema) || typeof schema !== 'object' || schema === null) return input;
    if (Array.isArray(schema)) return this.#list(schema[0] as Schema, input, parent, key); // lists have one member schema
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
    const rows = this.#rows(entity);
    const found = rows.get(pk);
    if (found?.value === undefined) {
      rows.set(pk, { entity, pk, value });
      return;
    }
    const merged = entity.merge(found.value as EntityValue, value as EntityValue); // processed values are plain objects
    // Most of what a response repeats is the same each time.
    if (merged !== found.value || entity !== found.entity) rows.set(pk, { entity, pk, value: merged });
  }

  remove(entity: EntityClass, pk: string): void {
    this.#rows(entity).set(pk, { entity, pk, value: undefined });
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
    let pk = entity.pk(value, parent, key, this.args);
    if (pk === undefined && this.#depth === 0 && this.#rootPk !== undefined) {
      pk = this.#rootPk;
      if (this.#isMade && 'id' in entity.defaults && !Object.hasOwn(value, 'id')) value['id'] = pk;
    }
    if (pk === undefined) {
      throw new HoldfastError(
        'HF_PK_MISSING',
        `${this.#where()} is ${describe(input)} without a primary key for ${entity.name}; check its pk()`,
      );
    }
    return { pk, value };
  }

  mismatch(expected: string, input: unknown): never {
    throw new HoldfastError(
      'HF_SHAPE',
      `${this.#where()} should be ${expected}, but ${describe(input)} arrived; check the schema`,
    );
  }

  /** Replaces what the fields of a processed value hold by pks, in place. */
  fields(entity: EntityClass, value: Record<string, unknown>): void {
    this.#depth += 1;
    const schemas = entity.schema;
    for (const field of Object.keys(schemas)) {
      // Own fields only: a field named like a member of Object.prototype is ordinary data.
      if (!Object.hasOwn(value, field)) continue;
      const nested = value[field];
      if (nested === null || nested === undefined) continue;
      this.#path.push(field);
      const normalized = this.visit(schemas[field], nested, value, field);
      this.#path.pop();
      if (normalized !== nested) value[field] = normalized;
    }
    this.#depth -= 1;
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
    if (origin === JOINED) {
      const reference = entity.pk(input, parent, key, this.args);
      if (reference !== undefined) return reference;
    }
    const data =
      origin === undefined || origin === JOINED ? input : givenFields(input, origin, entity.defaults);
    const { pk, value } = this.identify(entity, data, parent, key);
    this.fields(entity, value);
    this.put(entity, pk, value);
    return pk;
  }

  /** Members see the list's own parent and field, so that `process` can tell who holds them. */
  #list(member: Schema, input: unknown, parent: unknown, key: string | undefined): unknown[] {
    if (!Array.isArray(input)) this.mismatch('a list', input);
    const normalized = new Array<unknown>(input.length);
    for (let index = 0; index < input.length; index++) {
      // Not by member(): each frame counts where lists nest entities to the limit.
      this.#path.push(index);
      normalized[index] = this.visit(member, input[index], parent, key);
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

  #rows(entity: EntityClass): Map<string, FoundEntity> {
    let rows = this.entities.get(entity.key);
    if (rows === undefined) this.entities.set(entity.key, (rows = new Map<string, FoundEntity>()));
    return rows;
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
