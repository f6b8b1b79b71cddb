import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import { hasToJson } from '../endpoint/stableJson.ts';
import { isPlain } from '../util/isPlain.ts';
import { warnOnce } from '../util/warnOnce.ts';

/** Deeper args are not looked into. */
const LOOKED_INTO = 3;

/**
 * In development, warns of args of a read that do not make a key: two different functions, Maps or instances without
 * fields give the same one, and an instance gives another with each of its fields that changes.
 *
 * @param owner - who is told once
 */
export function checkArgs(owner: object, endpoint: EndpointInterface, args: readonly unknown[]): void {
  if (endpoint.sideEffect === true) return;
  const found = notPlain(args, LOOKED_INTO);
  if (found === undefined) return;
  warnOnce(
    owner,
    'HF_ARGS',
    `${endpoint.name} is read with ${found} among its args, of which no key can be made that tells it apart; pass plain data, such as { id }`,
    endpoint.name,
  );
}

function notPlain(value: unknown, depth: number): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object' || value === null || hasToJson(value)) return undefined;
  if (!Array.isArray(value) && !isPlain(value)) return `an instance of ${value.constructor.name}`;
  if (depth === 0) return undefined;
  for (const member of Object.values(value)) {
    const found = notPlain(member, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
