import { equal } from '../../util/adopt.ts';

/**
 * The source of an instance: the pk of the row that it was denormalized from, or the fields given to `fromJS`. When
 * such an instance is written back, it stands for that row. Spreading it into rows instead would store defaults and
 * converted values as if they were data.
 */
export type OriginOf = string | object;

/** The origins of instances of classes that a mixin turned into entities. */
const mixed = new WeakMap<object, OriginOf>();

/** Records the origin of an instance. */
export let setOrigin: (instance: object, origin: OriginOf) => void;

/** The origin of an instance; undefined for any other object. */
export let originOf: (value: object) => OriginOf | undefined;

/** Base of entities: keeps the origin where code that reads the fields of an instance does not see it. */
export class Origin {
  #origin: OriginOf | undefined;

  static {
    setOrigin = (instance, origin) => {
      if (#origin in instance) instance.#origin = origin;
      else mixed.set(instance, origin);
    };
    originOf = (value) => {
      // Most values checked are plain data, which needs no look-up.
      if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
      return #origin in value ? value.#origin : mixed.get(value);
    };
  }
}

/**
 * The data of an instance created by `fromJS`: the fields it was given and those set since, but not its defaults.
 *
 * @param given - the argument of `fromJS`
 */
export function givenFields(
  instance: object,
  given: object,
  defaults: Readonly<Record<string, unknown>>,
): object {
  const fields: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(instance) as [string, unknown][]) {
    const isDefault = typeof value === 'function' || equal(value, defaults[field]) || isBlank(value);
    if (Object.hasOwn(given, field) || !isDefault) fields[field] = value;
  }
  return fields;
}

/** Whether a value is an entity that was created without data, as defaults are; each instance has its own. */
export function isBlank(value: unknown): boolean {
  const origin = typeof value === 'object' && value !== null ? originOf(value) : undefined;
  if (typeof origin !== 'object') return false;
  const instance = value as {
    readonly constructor: { readonly defaults: Readonly<Record<string, unknown>> };
  }; // an Entity
  return Object.keys(givenFields(instance, origin, instance.constructor.defaults)).length === 0;
}
