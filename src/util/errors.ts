/**
 * All codes that Holdfast throws or warns with. `docs/errors.md` has a section for each; a test keeps the two in
 * sync.
 */
export type ErrorCode =
  | 'HF_ARGS'
  | 'HF_NOTHING_MATCHES'
  | 'HF_TWO_COPIES'
  | 'HF_UNSTABLE_ENDPOINT'
  | 'HF_UNSTABLE_INIT'
  | 'HF_UNSTABLE_SCHEMA'
  | 'HF_PK_UNDEFINED'
  | 'HF_PK_MISSING'
  | 'HF_PK_UNSAFE'
  | 'HF_KEY_COLLISION'
  | 'HF_KEY_DEFAULTED'
  | 'HF_SCHEMA_FIELD'
  | 'HF_SCHEMA_UNDEFINED'
  | 'HF_SHAPE'
  | 'HF_TOO_DEEP'
  | 'HF_PROCESS'
  | 'HF_INVALID_ENTITY'
  | 'HF_NOT_QUERYABLE'
  | 'HF_ROW_MISSING'
  | 'HF_ENDPOINT_NAME'
  | 'HF_PATH_PARAMETER'
  | 'HF_PATH_PATTERN'
  | 'HF_HEADER'
  | 'HF_NETWORK'
  | 'HF_RESPONSE_PARSE'
  | 'HF_REDIRECTED'
  | 'HF_RESET'
  | 'HF_STOPPED'
  | 'HF_PLUGIN'
  | 'HF_STORAGE'
  | 'HF_OUTBOX_ARGS'
  | 'HF_OUTBOX_AUTH'
  | 'HF_OUTBOX_BLOCKED'
  | 'HF_OUTBOX_CANCELLED'
  | 'HF_OUTBOX_NAME'
  | 'HF_OUTBOX_PK'
  | 'HF_TABS'
  | 'HF_ROW_NOT_CLONABLE'
  | 'HF_NO_PROVIDER'
  | 'HF_TWO_SCHEMAS'
  | 'HF_SCALAR'
  | 'HF_UNION_TYPE'
  | 'HF_LIST_SCHEMA'
  | 'HF_UPDATE'
  | 'HF_NESTED_WRITE'
  | 'HF_NO_COLLECTION'
  | 'HF_LIST_UNMATCHED'
  | 'HF_MEMBERS_OMITTED'
  | 'HF_INITIAL_STATE'
  | 'HF_NOT_SERIALIZABLE'
  | 'HF_CONVERTER'
  | 'HF_OPTIMISTIC'
  | 'HF_CONTENT'
  | 'HF_SUBSCRIPTION';

/**
 * An error with a stable `code`. Its message says what happened, where, and what to do; in production builds it only
 * names the subject and where to read more.
 *
 * @example
 * try {
 *   await controller.fetch(ArticleResource.get, { id });
 * } catch (error) {
 *   if (error instanceof HoldfastError && error.code === 'HF_SHAPE')
 *     report(error);
 * }
 */
export class HoldfastError extends Error {
  override readonly name: string = 'HoldfastError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    const text = textOf(code, message);
    super(
      process.env.NODE_ENV === 'production' ? `${text}\n${pageOf(code)}` : text,
      options?.cause === undefined ? undefined : options,
    );
    this.code = code;
  }

  /** The form for `JSON.stringify`, for logs: it includes the message, which errors otherwise lose. */
  toJSON(): object {
    return Object.assign({}, this, { message: this.message });
  }
}

/** Warns the developer, with a link to more information. Calls are guarded by a development check. */
export function warn(code: ErrorCode, message: string): void {
  console.warn(`${textOf(code, message)}\n${pageOf(code)}`);
}

function textOf(code: ErrorCode, message: string): string {
  return `[holdfast] ${message} (${code})`;
}

/** The path of the documentation, which the package contains. */
function pageOf(code: ErrorCode): string {
  return `node_modules/holdfast/docs/errors.md#${code.toLowerCase()}`;
}

/** A short description of an unknown value for error messages: its kind, and the start of it where that helps. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `the string ${JSON.stringify(shorten(value))}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') {
    if (value instanceof Promise) return 'a promise';
    const keys = Object.keys(value);
    const shown = keys
      .slice(0, 5)
      .map((key) => shorten(key))
      .join(', ');
    return `an object { ${shown}${keys.length > 5 ? ', …' : ''} }`;
  }
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  return `the ${typeof value} ${(value as number | boolean | bigint).toString()}`; // what is left
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
