import {
  hasOwnKey,
  HoldfastError,
  references,
  type EntityClass,
  type Schema,
  type StoredRow,
} from 'holdfast';
import type { Core } from './Core.ts';
import { NO_REFS, type Refs } from './records.ts';
import { RowSet } from './RowSet.ts';

/** Finds what a stored value names, so that a reader of the disk can follow it without knowing classes. */
export class References {
  readonly #core: Core;
  readonly #met = new Map<string, Set<EntityClass>>();
  readonly #named = new Set<string>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The rows that a row names, through every class of its table that was met; of what was renamed, the row that it is now. */
  ofRow(table: string, { value, movedTo }: Pick<StoredRow, 'value' | 'movedTo'>): Refs {
    if (value === undefined) return movedTo === undefined ? NO_REFS : [table, movedTo];
    const found = new RowSet();
    for (const entity of this.#classes(table)) this.#collect(entity.schema, value, found);
    return found.toRefs();
  }

  /** The rows that a result names; undefined where this session has not written it, and so does not know its schema. */
  ofResult(key: string, value: unknown): Refs | undefined {
    const schema = this.#core.schemaOf(key);
    if (schema === undefined) return undefined;
    const found = new RowSet();
    this.#collect(schema, value, found);
    return found.toRefs();
  }

  /**
   * The error for a table that is named by a class name, which changes in minified builds: what one build writes the
   * next would not find. Undefined for a table with a key of its own.
   */
  refusal(table: string): HoldfastError | undefined {
    if (this.#named.has(table)) return undefined;
    const classes = this.#classes(table);
    const unnamed = classes.find((entity) => !hasOwnKey(entity));
    if (unnamed === undefined) {
      if (classes.length > 0) this.#named.add(table);
      return undefined;
    }
    return new HoldfastError(
      'HF_KEY_DEFAULTED',
      `${unnamed.name} is to be stored in IndexedDB, but its key is its class name, which minifiers change; ` +
        `give it one of its own: static key = '${unnamed.name}'`,
    );
  }

  #collect(schema: Schema, value: unknown, found: RowSet): void {
    references(schema, value, (entity, pk) => {
      this.#meet(entity);
      found.add(entity.key, pk);
    });
  }

  /** A table may be read through several classes, such as a summary and a detail, that declare different relations. */
  #meet(entity: EntityClass): void {
    const classes = this.#met.get(entity.key);
    if (classes === undefined) this.#met.set(entity.key, new Set([entity]));
    else classes.add(entity);
  }

  #classes(table: string): readonly EntityClass[] {
    for (const entity of this.#core.entitiesOf(table)) this.#meet(entity);
    return [...(this.#met.get(table) ?? [])];
  }
}
