import type { EntityClass, Schema } from '../Schema.ts';

/** The class has a method or accessor of this name, or it is `__proto__`. */
export const REFUSED: unique symbol = Symbol('refused');

/** The class has no schema for this field. */
export const AS_IS: unique symbol = Symbol('as is');

/** How a field of the data is handled: ignored, copied, or denormalized by a schema. */
type FieldUse = typeof REFUSED | typeof AS_IS | { readonly schema: Schema };

/** Derived once from a class: its default values, and the data fields that an instance may receive. */
class ClassPlan {
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The fields with functions as defaults. These are no data: each instance has its own, which refer to it. */
  readonly functions: readonly string[];
  /** Whether the prototype chain has members besides `pk`, so that `pk()` may need a real instance as `this`. */
  readonly hasMembers: boolean;
  readonly #entity: EntityClass;
  readonly #uses = new Map<string, FieldUse>();
  /** The schema that the uses were determined from: schemas that refer to each other are assigned after the classes. */
  #schemas: EntityClass['schema'] | undefined;

  constructor(entity: EntityClass) {
    this.#entity = entity;
    const fields: Record<string, unknown> = { ...new entity() };
    this.functions = Object.keys(fields).filter((field) => typeof fields[field] === 'function');
    for (const field of this.functions) Reflect.deleteProperty(fields, field);
    this.defaults = Object.freeze(fields);
    this.hasMembers = hasMembers(entity.prototype);
  }

  /**
   * Whether a data field may be set on an instance: not if a method, accessor or `__proto__` has the name. Does not
   * read the schema, since instances may be created before the schemas are complete.
   */
  accepts(field: string): boolean {
    return (
      field !== '__proto__' && (Object.hasOwn(this.defaults, field) || !(field in this.#entity.prototype))
    );
  }

  /** For denormalization, how to handle a data field: ignore it, copy it, or denormalize it by the returned schema. */
  use(field: string): FieldUse {
    const { schema } = this.#entity;
    if (schema !== this.#schemas) {
      this.#schemas = schema;
      this.#uses.clear();
    }
    let use = this.#uses.get(field);
    if (use === undefined) {
      use = !this.accepts(field) ? REFUSED : Object.hasOwn(schema, field) ? { schema: schema[field] } : AS_IS;
      // Hostile data could contain endless field names; beyond the size of any real class, nothing is cached.
      if (this.#uses.size < 1_000) this.#uses.set(field, use);
    }
    return use;
  }
}

// Derived from the class alone, so it is the same for every controller; weak, so that a class can be
// garbage-collected.
const plans = new WeakMap<object, ClassPlan>();

/** The plan of an entity class, created on first use. */
export function classPlan(entity: EntityClass): ClassPlan {
  let plan = plans.get(entity);
  if (plan === undefined) plans.set(entity, (plan = new ClassPlan(entity)));
  return plan;
}

function hasMembers(prototype: object): boolean {
  for (
    let level: object | null = prototype;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const member of Reflect.ownKeys(level)) {
      if (member !== 'constructor' && member !== 'pk') return true;
    }
  }
  return false;
}
