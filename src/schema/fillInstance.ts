import { AS_IS, classPlan, REFUSED } from './classPlan.ts';
import type { EntityValue } from './Meta.ts';
import type { DenormalizeVisitor, EntityClass } from './Schema.ts';
import { MISSING } from './missing.ts';

/**
 * Gives an instance its data, field by field over the defaults; with a visitor, fields that have a schema are joined.
 * Methods, accessors and `__proto__` of the class win over data of the same name.
 *
 * @returns the name of the required field that is missing; undefined when the instance is complete
 */
export function fillInstance(
  instance: object,
  entity: EntityClass,
  value: EntityValue,
  visitor?: DenormalizeVisitor,
): string | undefined {
  const plan = classPlan(entity);
  const target = instance as Record<string, unknown>; // fields are set by name
  for (const field in value) {
    const use = visitor === undefined ? (plan.accepts(field) ? AS_IS : REFUSED) : plan.use(field);
    if (use === REFUSED) continue;
    const stored = value[field];
    if (use === AS_IS || visitor === undefined || stored === null || stored === undefined) {
      target[field] = stored;
      continue;
    }
    const joined = visitor.visit(use.schema, stored);
    if (joined !== MISSING) {
      target[field] = joined;
    } else if (plan.defaults[field]) {
      // A field whose default is an object is declared as always there: without it, there is no entity.
      return field;
    } else {
      target[field] = undefined;
    }
  }
  return undefined;
}
