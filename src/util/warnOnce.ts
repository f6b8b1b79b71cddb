import { warn, type ErrorCode } from './errors.ts';

// The warnings of each owner, kept while it lives: controllers share nothing by it.
const warned = /* @__PURE__ */ new WeakMap<object, Set<string>>();

/**
 * Warns about a mistake once, however often it occurs. Calls are guarded by a development check.
 *
 * @param owner - each gets its own warning; a controller, for example
 * @param about - the subject of the mistake, if there may be several
 */
export function warnOnce(owner: object, code: ErrorCode, message: string, about = ''): void {
  let known = warned.get(owner);
  if (known === undefined) warned.set(owner, (known = new Set()));
  const mistake = `${code} ${about}`;
  if (known.has(mistake)) return;
  known.add(mistake);
  warn(code, message);
}
