import { HoldfastError } from 'holdfast';
import { reportOnce } from '../../shared/reportOnce.ts';
import type { DiskRow } from './records.ts';

/** Rows of a batch that are checked: the others are like them, and a large batch must not delay the page. */
const CHECKED_ROWS = 1_000;

// By owner, weakly: controllers share nothing by it.
const warnings = /* @__PURE__ */ new WeakMap<object, (warning: HoldfastError) => void>();

/**
 * Warns of instances of classes in rows: they work until the next start, when they come back as plain objects. Calls are
 * guarded by a development check.
 *
 * @param owner - receives each warning once
 */
export function warnOfLostClasses(owner: object, rows: readonly DiskRow[]): void {
  const warn = warnings.get(owner) ?? reportOnce(({ message }) => console.warn(message));
  warnings.set(owner, warn);
  for (const { table, value } of rows.slice(0, CHECKED_ROWS)) {
    const lost = findLostClass(value);
    if (lost === undefined) continue;
    const what = `${table}${lost.path} holds an instance of ${lost.className}`;
    const remedy = 'store what the server has sent, and convert it in `static schema`';
    warn(
      new HoldfastError(
        'HF_ROW_NOT_CLONABLE',
        `${what}, which IndexedDB stores as a plain object; ${remedy}`,
      ),
    );
  }
}

/** An instance within a stored value, which IndexedDB stores as a plain object. */
export interface LostClass {
  /** Where it is, such as `.createdAt` or `.steps[0].at`. */
  readonly path: string;
  readonly className: string;
}

/**
 * The first instance of a class in a value; undefined if there is none. Structured clone keeps the classes of the
 * platform, such as `Date` and `Map`, and no others.
 */
export function findLostClass(value: unknown, path = ''): LostClass | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value) as { readonly constructor: unknown } | null; // as any object has it
  const Class = prototype?.constructor;
  if (typeof Class === 'function' && !isOfPlatform(Class)) return { path, className: Class.name };
  const isList = Array.isArray(value);
  if (!isList && Class !== Object && prototype !== null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = findLostClass(member, isList ? `${path}[${key}]` : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Platforms may write their classes in JavaScript, as Node does with `Blob`. */
function isOfPlatform(Class: object & { readonly name: string }): boolean {
  const isNative = Function.prototype.toString.call(Class).endsWith('{ [native code] }');
  return isNative || (globalThis as Readonly<Record<string, unknown>>)[Class.name] === Class; // read by name
}
