import { MISSING } from '../schema/missing.ts';
import { denormalizeValue } from '../schema/denormalizeValue.ts';
import { isEntity } from '../schema/isEntity.ts';
import { queryKey } from '../schema/query/queryKey.ts';
import type { Lookup, Schema } from '../schema/Schema.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import { withCurrentPks } from '../store/renames.ts';
import type { State } from '../store/State.ts';
import { freezeDenormalized } from '../util/freezeDenormalized.ts';
import { isShallowlyEqual } from '../util/adopt.ts';
import { LONG_LIST } from './ListNode.ts';
import { Node, type DenormalizeContext } from './Node.ts';

/** Stands for a value that the args ask for. */
const FROM_ARGS = Symbol('from args');

/** A value denormalized by a schema for given args. No other node depends on it. */
export abstract class RootNode extends Node {
  readonly schema: Schema;
  override readonly args: readonly unknown[];
  #normalized: unknown;
  /** The previous value. */
  #previous: unknown = MISSING;

  constructor(schema: Schema, args: readonly unknown[]) {
    super();
    this.schema = schema;
    this.args = args;
  }

  /** The normalized value; `MISSING` if there is none, `FROM_ARGS` if the args determine it. */
  protected abstract normalized(state: State): unknown;

  override prepare(state: State, _context: DenormalizeContext): boolean {
    this.#normalized = this.normalized(state);
    this.#previous = this.value;
    this.value = MISSING;
    return this.#normalized !== MISSING;
  }

  override fill(context: DenormalizeContext): void {
    const input =
      this.#normalized === FROM_ARGS
        ? (queryKey(this.schema, this.args, this.lookup(context)) ?? MISSING)
        : this.#normalized;
    this.value = input === MISSING ? MISSING : denormalizeValue(this.schema, input, context);
  }

  override completed(): void {
    const previous = this.#previous;
    const { value } = this;
    this.#previous = MISSING;
    // Entities and long lists keep their identity by themselves.
    if (isEntity(this.schema) || (Array.isArray(value) && value.length >= LONG_LIST)) return;
    // A list or object with the same members keeps its identity, so that its readers do not render.
    if (isShallowlyEqual(previous, value)) this.value = previous;
  }

  /** Resolves the args to rows. */
  protected lookup(context: DenormalizeContext): Lookup {
    return context;
  }

  override freeze(): void {
    if (process.env.NODE_ENV !== 'production' && this.schema !== undefined) freezeDenormalized(this.value);
  }
}

/** An endpoint's result by key and schema; without a stored result, the rows that its args refer to. */
export class ResultNode extends RootNode {
  readonly key: string;
  /** Whether it was removed from the graph: readers must look up another one. */
  isForgotten = false;
  /** The shape that a stored result must have to be read by this schema; undefined until one is stored. */
  #shape: string | undefined;

  constructor(key: string, schema: Schema, args: readonly unknown[]) {
    super(schema, args);
    this.key = key;
  }

  override get label(): string {
    return `the result ${this.key}`;
  }

  override isStored(state: State): boolean {
    return state.results.get(this.key) !== undefined;
  }

  protected override normalized(state: State): unknown {
    const result = state.results.get(this.key);
    if (result?.invalidated === true) return MISSING;
    if (result?.value === undefined) return FROM_ARGS;
    this.#shape ??= shapeOf(this.schema);
    return (result.shape ?? '') === this.#shape ? withCurrentPks(state, this.schema, result) : MISSING;
  }

  /** By pk or index only: the rows that happen to be in a table are not the endpoint's response. */
  protected override lookup(context: DenormalizeContext): Lookup {
    return new IndexLookup(context);
  }
}

/** Finds rows by index, and reads no whole table. A class, which costs each mounted read less than closures. */
class IndexLookup implements Lookup {
  readonly #rows: Lookup;

  constructor(rows: Lookup) {
    this.#rows = rows;
  }

  find(...args: Parameters<Lookup['find']>): string | undefined {
    return this.#rows.find(...args);
  }

  hasTable(): boolean {
    return false;
  }
}

/** A query of the stored rows, without an endpoint. */
export class QueryNode extends RootNode {
  /** The args as text. */
  readonly key: string;
  declare args: readonly unknown[];
  /** The args as given, where an entity may have its temporary pk. */
  readonly #given: readonly unknown[];

  constructor(schema: Schema, args: readonly unknown[], key: string) {
    super(schema, args);
    this.key = key;
    this.#given = args;
  }

  override prepare(state: State, context: DenormalizeContext): boolean {
    this.args = context.currentArgs(this.#given);
    return super.prepare(state, context);
  }

  protected override normalized(): unknown {
    return FROM_ARGS;
  }
}

/** A value that is denormalized once and not kept. */
export class ValueNode extends RootNode {
  readonly #value: unknown;

  constructor(schema: Schema, value: unknown, args: readonly unknown[]) {
    super(schema, args);
    this.#value = value;
  }

  protected override normalized(): unknown {
    return this.#value;
  }
}
