import type { Normalized } from '../../schema/normalize.ts';
import { warnOnce } from '../../util/warnOnce.ts';

/**
 * In development, warns of a pk that is a number beyond 2^53, as Java's `long` and Snowflake ids may be: `JSON.parse` has
 * rounded it, so two rows of the server may be one here.
 *
 * @param owner - receives the warning once per class
 */
export function checkPks(owner: object, { entities }: Normalized): void {
  for (const rows of entities.values())
    for (const { entity, pk, value } of rows.values()) {
      const number = Number(pk);
      // A string of digits is exact.
      if (!isRounded(number) || !Object.values(value ?? {}).includes(number)) continue;
      warnOnce(
        owner,
        'HF_PK_UNSAFE',
        `${entity.name} has the pk ${pk}, a number that JSON.parse has rounded, so rows with similar ids are mixed up; have the server send ids as strings, or read them as strings in parseResponse`,
        entity.name,
      );
      break;
    }
}

function isRounded(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}
