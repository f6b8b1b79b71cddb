import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { hasToJson } from '../../endpoint/stableJson.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { isPlain } from '../../util/isPlain.ts';
import { warnOnce } from '../../util/warnOnce.ts';

/** Deeper args are not checked. */
const MAX_DEPTH = 3;

/**
 * In development, warns of args of a read that do not give a reliable key: functions, Maps and instances without
 * fields have the same key, and an instance gets another key with each change of its fields.
 *
 * @param owner - receives the warning once
 * @param name - of the endpoint or schema that is read
 */
export function checkArgs(owner: object, name: string, args: readonly unknown[]): void {
  const found = findNonPlain(args, MAX_DEPTH);
  if (found === undefined) return;
  warnOnce(
    owner,
    'HF_ARGS',
    `${name} is read with ${found} among its args, which cannot be part of a key; pass plain data, such as { id }`,
    name,
  );
}

function findNonPlain(value: unknown, depth: number): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null || hasToJson(value)) return undefined;
  if (!Array.isArray(value) && !isPlain(value)) return `an instance of ${value.constructor.name}`;
  if (depth === 0) return undefined;
  for (const member of Object.values(value)) {
    const found = findNonPlain(member, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * In development, rejects a key that is no text: a custom `key()` may return anything.
 *
 * @throws HoldfastError `HF_ENDPOINT_NAME`
 */
export function checkKey({ name }: EndpointInterface, key: unknown): void {
  if (typeof key === 'string') return;
  throw new HoldfastError(
    'HF_ENDPOINT_NAME',
    `key() of ${name} gave ${describe(key)}, so its results would mix with others; return a string`,
  );
}
