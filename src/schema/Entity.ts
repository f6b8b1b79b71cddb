import { equal } from '../util/adopt.ts';
import { HoldfastError } from '../util/errors.ts';
import { classPlan } from './classPlan.ts';
import type { EntityValue, Invalidity, Meta } from './Meta.ts';
import type { EntityClass, Lookup, Schema } from './Schema.ts';
import { fillInstance } from './fillInstance.ts';
import { isOlder } from './order.ts';
import { Origin, originOf, setOrigin } from './Origin.ts';
import { toPk } from './pk.ts';

/**
 * A record with a primary key. Subclasses declare fields as class members with defaults, which also give the types.
 * Every record is stored once per `key` and `pk`, and read back as the identical, frozen instance everywhere.
 *
 * @example
 * class User extends Entity {
 *   id = '';
 *   name = '';
 * }
 * class Article extends Entity {
 *   id = '';
 *   title = '';
 *   author = User.fromJS();
 *   createdAt = new Date(0);
 *   static override key = 'Article';
 *   static override schema = { author: User, createdAt: Date };
 * }
 */
export class Entity extends Origin {
  /**
   * The primary key. `this` is the processed value without defaults, so that a missing field is seen as missing.
   *
   * @param parent - the object that holds this value in the response
   * @param key - the field of `parent` that it sits in
   * @param args - the arguments of the endpoint
   * @returns a string or number; null or undefined when there is none
   */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | null | undefined {
    return (this as { readonly id?: string | number | null }).id; // read by name: `id` is the default, not a member
  }

  /** Name of the table. Defaults to the class name, which minifiers change: set it where rows are persisted. */
  static get key(): string {
    return this.name;
  }

  static set key(key: string) {
    // Reached only where static fields compile to assignments; defining keeps the setter out of the subclass.
    Object.defineProperty(this, 'key', { value: key, writable: true, enumerable: true, configurable: true });
  }

  /** Field name → schema of that field. Spread the parent's (`...super.schema`) to keep it. */
  static schema: Readonly<Record<string, Schema>> = {};

  /**
   * Fields whose values find a row: with `indexes = ['username']`, args such as `{ username: 'ann' }` name a user
   * that is stored, without a fetch. Where several rows have the value, it is the one with the smallest pk, as text.
   */
  static readonly indexes?: readonly string[];

  /** The default values of the class's fields. */
  static get defaults(): Readonly<Record<string, unknown>> {
    return classPlan(asClass(this)).defaults;
  }

  /** Builds an instance; fields that `props` lacks have their defaults. Throws nothing. */
  static fromJS<T extends typeof Entity>(
    this: T,
    props: Partial<InstanceType<T>> | Readonly<Record<string, unknown>> = {},
  ): InstanceType<T> {
    const instance = new this() as InstanceType<T>; // `new this()` is typed by the base class
    fillInstance(instance, asClass(this), props);
    setOrigin(instance, props);
    return instance;
  }

  /**
   * The pk of a processed value as a string; undefined when it has none. Of an instance that was read, the pk that its
   * row is stored under.
   *
   * @throws HoldfastError `HF_PK_UNDEFINED` when the class has neither `id` nor `pk()`
   */
  static pk(value: object, parent?: unknown, key?: string, args?: readonly unknown[]): string | undefined {
    const stored = originOf(value);
    if (typeof stored === 'string') return stored;
    const entity = asClass(this);
    const plan = classPlan(entity);
    const pk = entity.prototype as Entity; // every EntityClass has pk() on its prototype
    if (
      pk.pk === Entity.prototype.pk &&
      !('id' in value) &&
      !('id' in plan.defaults) &&
      !('id' in entity.prototype)
    ) {
      throw new HoldfastError(
        'HF_PK_UNDEFINED',
        `${entity.name} has neither a field \`id\` nor a method pk(); declare one of them`,
      );
    }
    let self = value;
    if (plan.hasMembers) {
      // pk() may call getters and methods of the class, so it gets the data on the class's prototype, without defaults.
      self = Object.create(entity.prototype) as object;
      for (const field of Object.keys(value)) {
        if (plan.accepts(field)) (self as Record<string, unknown>)[field] = (value as EntityValue)[field];
      }
    }
    return toPk(pk.pk.call(self as Entity, parent, key, args));
  }

  /**
   * Called on each value before storage. Returns the object to store; must not change `input`.
   *
   * @param parent - the object that holds the value, also for members of a list; written to for reverse relations
   * @param key - the field of `parent` it sits in
   */
  static process(input: unknown, _parent?: unknown, _key?: string, _args?: readonly unknown[]): unknown {
    return { ...(input as object) };
  }

  /** Combines a stored value with an incoming one; the stored one itself where that adds nothing. */
  static merge(existing: EntityValue, incoming: EntityValue): EntityValue {
    return includes(existing, incoming) ? existing : { ...existing, ...incoming };
  }

  /** Combines by `shouldUpdate`, `shouldReorder` and `merge`. */
  static mergeWithStore(
    existingMeta: Meta,
    incomingMeta: Meta,
    existing: EntityValue,
    incoming: EntityValue,
  ): EntityValue {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing;
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
      ? this.merge(incoming, existing)
      : this.merge(existing, incoming);
  }

  /** False drops the incoming value. */
  static shouldUpdate(
    _existingMeta: Meta,
    _incomingMeta: Meta,
    _existing: EntityValue,
    _incoming: EntityValue,
  ): boolean {
    return true;
  }

  /** True merges the other way round: the incoming value only fills in what is not stored. Default: it is older. */
  static shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    _existing: EntityValue,
    _incoming: EntityValue,
  ): boolean {
    return isOlder(incomingMeta, existingMeta);
  }

  /** Returns a message when the stored row is invalid or incomplete; it then reads as missing through this class. */
  static validate(_processed: EntityValue): Invalidity {
    return undefined;
  }

  /**
   * The pk that endpoint or query args ask for, so that a detail is served from a row that a list brought: what the
   * args are the pk of, else what an index has for one of their fields.
   */
  static queryKey(args: readonly unknown[], lookup?: Lookup): string | undefined {
    const [first] = args;
    if (typeof first !== 'object' || first === null) return toPk(first);
    return pkOfArgs(asClass(this), first, args) ?? byIndex(asClass(this), first, lookup);
  }
}

function pkOfArgs(entity: EntityClass, first: object, args: readonly unknown[]): string | undefined {
  try {
    return entity.pk(first, undefined, undefined, args);
  } catch {
    return undefined; // args are not data: a pk() that needs more than they have cannot tell
  }
}

function byIndex(entity: EntityClass, first: object, lookup: Lookup | undefined): string | undefined {
  const field = entity.indexes?.find((name) => Object.hasOwn(first, name));
  return field === undefined ? undefined : lookup?.find(entity, field, (first as EntityValue)[field]); // checked: it has it
}

/** Static members see the subclass they are called on as `this`; its type is that of the base. */
function asClass(entity: typeof Entity): EntityClass {
  return entity; // `new ()` of a subclass gives the subclass
}

const defaultKey = Object.getOwnPropertyDescriptor(Entity, 'key');

/** Whether a class names its table itself, rather than by its (minifiable) class name. */
export function hasOwnKey(entity: EntityClass): boolean {
  if (entity.namedAfter !== undefined) return entity.namedAfter.every(hasOwnKey);
  for (
    let level: object | null = entity;
    level !== null && level !== Entity;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    const own = Object.getOwnPropertyDescriptor(level, 'key');
    // A mixin has the getter of Entity itself.
    if (own !== undefined && (own.get === undefined || own.get !== defaultKey?.get)) return true;
  }
  return false;
}

/** Whether a value has every field of another, and equal. */
function includes(whole: EntityValue, part: EntityValue): boolean {
  for (const field in part) {
    const value = part[field];
    if (value !== undefined && value === whole[field]) continue;
    if (!Object.hasOwn(whole, field) || !equal(value, whole[field])) return false;
  }
  return true;
}
