import { equal } from '../../util/adopt.ts';
import { HoldfastError } from '../../util/errors.ts';
import { classPlan } from './classPlan.ts';
import type { EntityValue, Invalidity, Meta } from '../Meta.ts';
import type { EntityClass, Lookup, Schema } from '../Schema.ts';
import { fillInstance } from './fillInstance.ts';
import { isOlder } from '../order.ts';
import { Origin, originOf, setOrigin } from './Origin.ts';
import { toPk } from './pk.ts';

/**
 * A record with a primary key. Subclasses declare fields as class members with defaults, which also provide the
 * types. Every record is stored once per `key` and `pk`, and all readers get the identical, frozen instance.
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
   * The primary key. `this` is the processed value without defaults, so that a missing field is recognized as
   * missing.
   *
   * @param parent - the object that contains this value in the response
   * @param key - the field of `parent` that contains it
   * @param args - the arguments of the endpoint
   * @returns a string or number; null or undefined if there is none
   */
  pk(_parent?: unknown, _key?: string, _args?: readonly unknown[]): string | number | null | undefined {
    return (this as { readonly id?: string | number | null }).id; // read by name: `id` is the default, not a member
  }

  /**
   * Name of the table. Defaults to the class name, which minifiers change: set it if rows are persisted.
   *
   * @throws HoldfastError `HF_KEY_DEFAULTED` in development if the class has no name
   */
  static get key(): string {
    if (process.env.NODE_ENV !== 'production' && this.name === '')
      throw new HoldfastError(
        'HF_KEY_DEFAULTED',
        'An entity class has no name that its table could have; give it a static key',
      );
    return this.name;
  }

  static set key(key: string) {
    // Reached only where static fields compile to assignments; defining the property keeps the setter out of the
    // subclass.
    Object.defineProperty(this, 'key', { value: key, writable: true, enumerable: true, configurable: true });
  }

  /** Field name → schema of that field. Spread the parent's (`...super.schema`) to keep it. */
  static schema: Readonly<Record<string, Schema>> = {};

  /**
   * Fields by whose values a row can be found: with `indexes = ['username']`, the args `{ username: 'ann' }` find a
   * stored user without a fetch. If several rows have the value, the one with the smallest pk, compared as text, is
   * used.
   */
  static readonly indexes?: readonly string[];

  /** The default values of the class's fields. */
  static get defaults(): Readonly<Record<string, unknown>> {
    return classPlan(this).defaults;
  }

  /** Creates an instance; fields that `props` lacks have their defaults. Never throws. */
  static fromJS<T extends typeof Entity>(this: T, props: Partial<InstanceType<T>> = {}): InstanceType<T> {
    const instance = new this() as InstanceType<T>; // `new this()` is typed by the base class
    fillInstance(instance, this, props);
    setOrigin(instance, props);
    return instance;
  }

  /**
   * The pk of a processed value as a string; undefined if it has none. For an instance that was read, the pk under
   * which its row is stored.
   *
   * @throws HoldfastError `HF_PK_UNDEFINED` if the class has neither `id` nor `pk()`
   */
  static pk(value: object, parent?: unknown, key?: string, args?: readonly unknown[]): string | undefined {
    const stored = originOf(value);
    if (typeof stored === 'string') return stored;
    const plan = classPlan(this);
    const { prototype } = this;
    if (
      prototype.pk === Entity.prototype.pk &&
      !('id' in value) &&
      !('id' in plan.defaults) &&
      !('id' in prototype)
    ) {
      throw new HoldfastError(
        'HF_PK_UNDEFINED',
        `${this.name} has neither a field \`id\` with a default nor a method pk(); declare one of them`,
      );
    }
    let self = value;
    if (plan.hasMembers) {
      // pk() may call getters and methods of the class, so it gets the data with the class's prototype, without
      // defaults.
      self = Object.create(prototype) as object;
      for (const field of Object.keys(value)) {
        if (plan.accepts(field)) (self as Record<string, unknown>)[field] = (value as EntityValue)[field];
      }
    }
    return toPk(prototype.pk.call(self as Entity, parent, key, args));
  }

  /**
   * Called on each value before storage. Returns the object to store; must not change `input`.
   *
   * @param parent - the object that contains the value, also for members of a list; it may be changed, for reverse
   * relations
   * @param key - the field of `parent` that contains it
   */
  static process(input: unknown, _parent?: unknown, _key?: string, _args?: readonly unknown[]): unknown {
    return { ...(input as object) };
  }

  /** Combines a stored value with an incoming one; returns the stored one itself if nothing changes. */
  static merge(existing: EntityValue, incoming: EntityValue): EntityValue {
    return includes(existing, incoming) ? existing : { ...existing, ...incoming };
  }

  /** Combines the two by `shouldUpdate`, `shouldReorder` and `merge`. */
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

  /** Return false to ignore the incoming value. */
  static shouldUpdate(
    _existingMeta: Meta,
    _incomingMeta: Meta,
    _existing: EntityValue,
    _incoming: EntityValue,
  ): boolean {
    return true;
  }

  /**
   * Return true to merge in the other direction: the incoming value only fills in fields that are not stored.
   * Default: it is older.
   */
  static shouldReorder(
    existingMeta: Meta,
    incomingMeta: Meta,
    _existing: EntityValue,
    _incoming: EntityValue,
  ): boolean {
    return isOlder(incomingMeta, existingMeta);
  }

  /** Returns a message if the stored row is invalid or incomplete; it then reads as missing through this class. */
  static validate(_processed: EntityValue): Invalidity {
    return undefined;
  }

  /**
   * The pk for endpoint or query args, so that a detail is served from a row that a list fetched: the pk made of the
   * args, or the pk that an index has for one of their fields.
   */
  static queryKey(args: readonly unknown[], lookup?: Lookup): string | undefined {
    const first = args[0];
    if (typeof first !== 'object' || first === null) return toPk(first);
    return pkOfArgs(this, first, args) ?? byIndex(this, first, lookup);
  }
}

function pkOfArgs(entity: EntityClass, first: object, args: readonly unknown[]): string | undefined {
  try {
    return entity.pk(first, undefined, undefined, args);
  } catch {
    return undefined; // args are not data: a pk() may need more fields than they have
  }
}

function byIndex(entity: EntityClass, first: object, lookup: Lookup | undefined): string | undefined {
  const field = entity.indexes?.find((name) => Object.hasOwn(first, name));
  if (field === undefined) return undefined;
  return lookup?.find(entity, field, (first as EntityValue)[field], first); // checked: it has it
}

const defaultKey = Object.getOwnPropertyDescriptor(Entity, 'key');

/** Whether a class sets its table's name itself, rather than using its (minifiable) class name. */
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

/** Whether a value has every field of another one, with equal values. */
function includes(whole: EntityValue, part: EntityValue): boolean {
  for (const field in part) {
    const value = part[field];
    if (value !== undefined && value === whole[field]) continue;
    if (!Object.hasOwn(whole, field) || !equal(value, whole[field])) return false;
  }
  return true;
}
