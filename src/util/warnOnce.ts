import { warn, type ErrorCode } from './errors.ts';

// What its owner has been told, and no longer than the owner lives: controllers share nothing by it.
const told = /* @__PURE__ */ new WeakMap<object, Set<string>>();

/**
 * Warns of a mistake once, however often it is met. Calls are guarded by a development check.
 *
 * @param owner - each is told by itself; a controller, say
 * @param about - what the mistake is in, where there may be several
 */
export function warnOnce(owner: object, code: ErrorCode, message: string, about = ''): void {
  let known = told.get(owner);
  if (known === undefined) told.set(owner, (known = new Set()));
  const mistake = `${code} ${about}`;
  if (known.has(mistake)) return;
  known.add(mistake);
  warn(code, message);
}
