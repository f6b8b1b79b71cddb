import { AS_IS, classPlan, REFUSED } from './classPlan.ts';
import type { EntityValue } from '../Meta.ts';
import type { DenormalizeVisitor, EntityClass } from '../Schema.ts';
import { MISSING } from '../missing.ts';

/**
 * Fills an instance with its data, field by field over the defaults; with a visitor, fields that have a schema are
 * denormalized. Methods, accessors and `__proto__` of the class take precedence over data of the same name.
 *
 * @returns the name of a required field that is missing; undefined if the instance is complete
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
    const denormalized = visitor.visit(use.schema, stored);
    if (denormalized !== MISSING) {
      target[field] = denormalized;
    } else if (plan.defaults[field]) {
      // A field whose default is an object is declared as always present: without it, the entity is missing.
      return field;
    } else {
      target[field] = undefined;
    }
  }
  return undefined;
}
