import { MISSING } from '../schema/missing.ts';
import { queryKey } from '../schema/queryKey.ts';
import type { Lookup, Schema } from '../schema/Schema.ts';
import { shapeOf } from '../schema/shapeOf.ts';
import type { State } from '../store/State.ts';
import { freezeJoined } from '../util/freezeJoined.ts';
import { isShallowlyEqual } from '../util/isShallowlyEqual.ts';
import { LONG_LIST } from './ListNode.ts';
import { Node, type Filling } from './Node.ts';

/** Stands for a value that the args ask for. */
const ASKED = Symbol('asked');

/** A value joined by a schema for given args. Nothing is joined from it. */
export abstract class RootNode extends Node {
  readonly schema: Schema;
  readonly #args: readonly unknown[];
  #normalized: unknown;
  /** What was joined before. */
  #former: unknown = MISSING;

  constructor(schema: Schema, args: readonly unknown[]) {
    super();
    this.schema = schema;
    this.#args = args;
  }

  override get args(): readonly unknown[] {
    return this.#args;
  }

  /** The normalized value to join; `MISSING` when there is none, `ASKED` where the args ask for one. */
  protected abstract normalized(state: State): unknown;

  override open(state: State): boolean {
    this.#normalized = this.normalized(state);
    this.#former = this.value;
    this.value = MISSING;
    return this.#normalized !== MISSING;
  }

  override fill(join: Filling): void {
    const input =
      this.#normalized === ASKED
        ? (queryKey(this.schema, this.args, this.lookup(join)) ?? MISSING)
        : this.#normalized;
    this.value = input === MISSING ? MISSING : join.visit(this.schema, input);
  }

  override completed(): void {
    const [former, value] = [this.#former, this.value];
    this.#former = MISSING;
    // Long lists stay the same list by themselves.
    if (Array.isArray(value) && value.length >= LONG_LIST) return;
    // Whoever reads a list or object whose members are the same has nothing new to show.
    if (isShallowlyEqual(former, value)) this.value = former;
  }

  /** Where the args are looked up. */
  protected lookup(join: Filling): Lookup {
    return join;
  }

  override freeze(): void {
    if (process.env.NODE_ENV !== 'production' && this.schema !== undefined) freezeJoined(this.value);
  }
}

/**
 * An endpoint's result, by its key and schema; where there is none, what its args ask of the rows.
 */
export class ResultNode extends RootNode {
  readonly key: string;
  /** What a result must have been stored as to be read by this schema; undefined until there is one. */
  #shape: string | undefined;

  constructor(key: string, schema: Schema, args: readonly unknown[]) {
    super(schema, args);
    this.key = key;
  }

  override get place(): string {
    return `the result ${this.key}`;
  }

  override isBacked(state: State): boolean {
    return state.results.get(this.key) !== undefined;
  }

  protected override normalized(state: State): unknown {
    const result = state.results.get(this.key);
    if (result?.invalidated === true) return MISSING;
    if (result?.value === undefined) return ASKED;
    this.#shape ??= shapeOf(this.schema);
    return (result.shape ?? '') === this.#shape ? result.value : MISSING;
  }

  /** Rows by pk or index alone: those that happen to be in a table are not what an endpoint would answer. */
  protected override lookup(join: Filling): Lookup {
    return { find: (entity, field, value) => join.find(entity, field, value), hasTable: () => false };
  }
}

/** What args ask of the rows by a schema, without any endpoint. */
export class QueryNode extends RootNode {
  /** The args as text. */
  readonly key: string;

  constructor(schema: Schema, args: readonly unknown[], key: string) {
    super(schema, args);
    this.key = key;
  }

  protected override normalized(): unknown {
    return ASKED;
  }
}

/** A value that is joined once, for whoever holds it. */
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
