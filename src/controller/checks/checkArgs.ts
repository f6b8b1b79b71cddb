import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import { hasToJson } from '../../endpoint/stableJson.ts';
import { isPlain } from '../../util/isPlain.ts';
import { warnOnce } from '../../util/warnOnce.ts';

/** Deeper args are not checked. */
const MAX_DEPTH = 3;

/**
 * In development, warns of args of a read that do not give a reliable key: functions, Maps and instances without
 * fields have the same key, and an instance gets another key with each change of its fields. The same for an empty list
 * that the URL leaves out, so that it is not a filter.
 *
 * @param owner - receives the warning once
 */
export function checkArgs(owner: object, endpoint: EndpointInterface, args: readonly unknown[]): void {
  if (endpoint.sideEffect === true) return;
  const found = findNonPlain(args, MAX_DEPTH);
  const empty = found === undefined && findOmitted(endpoint, args);
  if (typeof empty === 'string')
    warnOnce(
      owner,
      'HF_ARGS',
      `${endpoint.name} is read with an empty list as \`${empty}\`, which its URL leaves out, so it reads what it reads without \`${empty}\`; pass null in place of the args to read nothing, or undefined if that is meant`,
      `${endpoint.name} ${empty}`,
    );
  if (found === undefined) return;
  warnOnce(
    owner,
    'HF_ARGS',
    `${endpoint.name} is read with ${found} among its args, which cannot be part of a key; pass plain data, such as { id }`,
    endpoint.name,
  );
}

/** The name of a parameter that is an empty list, and makes no difference to the key. */
function findOmitted(endpoint: EndpointInterface, [params, ...rest]: readonly unknown[]): string | undefined {
  if (!isPlain(params)) return undefined;
  const fields = params as Readonly<Record<string, unknown>>;
  return Object.keys(fields).find((name) => {
    const value = fields[name];
    if (!Array.isArray(value) || value.length > 0) return false;
    return endpoint.key({ ...fields, [name]: undefined }, ...rest) === endpoint.key(params, ...rest);
  });
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
