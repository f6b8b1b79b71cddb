import type { EntityClass } from './Schema.ts';

/** The pk of the outermost entity if its value has none. */
export interface RootPk {
  readonly pk: string;
  /**
   * For an optimistic creation: the fields to set to the pk if they are blank, such as the path parameter that
   * identifies the entity. The pk is temporary then, and replaces blank fields of the entity. Other entities without
   * a pk get one made from it.
   */
  readonly fields?: readonly string[] | undefined;
}

/**
 * The pk of an entity that is being created, whose own may be missing in whole or in part. Sets the fields that the
 * pk is made of if they are blank, and those of `root`, so that an optimistic entity can be linked to.
 *
 * @param value - fields may be set in it
 * @param identify - returns the class's pk for `value`
 */
export function temporaryPk(
  { pk, fields = [] }: RootPk,
  value: Record<string, unknown>,
  { defaults }: EntityClass,
  identify: () => string | undefined,
): string {
  const own = (): string | undefined => {
    try {
      return identify();
    } catch {
      return undefined; // a pk() that needs fields that are not set yet
    }
  };
  const given = own();
  let filled = given;
  // A missing pk may be made of any field.
  const named = new Set([...fields, 'id', ...(given === undefined ? Object.keys(defaults) : [])]);
  for (const field of named) {
    const before = value[field];
    const isBlank = before === undefined || before === null || before === '';
    if (!isBlank) continue;
    const had = Object.hasOwn(value, field);
    value[field] = pk;
    const changed = own();
    if (changed !== filled && changed?.includes(pk) === true) filled = changed;
    else if (!fields.includes(field) || !Object.hasOwn(defaults, field)) {
      if (had) value[field] = before;
      else Reflect.deleteProperty(value, field);
    }
  }
  return filled ?? pk;
}
