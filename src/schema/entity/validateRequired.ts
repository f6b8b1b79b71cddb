import type { EntityValue } from '../Meta.ts';

/**
 * A helper for `validate`: returns a message that names the first field of `required` that the stored row lacks, else
 * undefined.
 *
 * @example
 * class Profile extends Entity {
 *   id = '';
 *   name = '';
 *   static override validate(processed: EntityValue) {
 *     return (
 *       validateRequired(processed, this.defaults) || super.validate(processed)
 *     );
 *   }
 * }
 */
export function validateRequired(
  processed: EntityValue,
  required: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const field of Object.keys(required)) {
    if (!Object.hasOwn(processed, field)) return `the field "${field}" is missing`;
  }
  return undefined;
}
