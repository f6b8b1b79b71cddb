import { hasOwnKey, HoldfastError, references, type EntityClass, type EntityValue } from 'holdfast';
import type { Core } from './Core.ts';
import { NO_REFS, type Refs } from './records.ts';
import { RowSet } from './RowSet.ts';

/** Finds what a stored value names, so that a reader of the disk can follow it without knowing classes. */
export class References {
  readonly #core: Core;
  readonly #named = new Map<string, boolean>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The rows that a row names, through whichever class of its table. */
  ofRow(table: string, value: EntityValue | undefined): Refs {
    if (value === undefined) return NO_REFS;
    const found = new RowSet();
    for (const entity of this.#classes(table))
      references(entity.schema, value, (named, pk) => found.add(named.key, pk));
    return found.toRefs();
  }

  /** The rows that a result names. */
  ofResult(key: string, value: unknown): Refs {
    const schema = this.#core.schemaOf(key);
    if (schema === undefined) return NO_REFS;
    const found = new RowSet();
    references(schema, value, (named, pk) => found.add(named.key, pk));
    return found.toRefs();
  }

  /**
   * The error for a table that is named by a class name, which changes in minified builds: what one build writes the
   * next would not find. Undefined for a table with a key of its own.
   */
  refusal(table: string): HoldfastError | undefined {
    if (this.#named.get(table) === true) return undefined;
    const classes = this.#classes(table);
    const unnamed = classes.find((entity) => !hasOwnKey(entity));
    if (unnamed === undefined) {
      if (classes.length > 0) this.#named.set(table, true);
      return undefined;
    }
    return new HoldfastError(
      'HF_KEY_DEFAULTED',
      `${unnamed.name} is to be stored in IndexedDB, but its key is its class name, which minifiers change; ` +
        `give it one of its own: static key = '${unnamed.name}'`,
    );
  }

  #classes(table: string): readonly EntityClass[] {
    const every = this.#core.entitiesOf?.(table);
    if (every !== undefined) return every;
    const entity = this.#core.entityOf(table);
    return entity === undefined ? [] : [entity];
  }
}
