import {
  hasOwnKey,
  HoldfastError,
  references,
  RENAMES,
  renamedTo,
  type EntityClass,
  type Schema,
  type StoredRow,
} from 'holdfast';
import type { ControllerApi } from '../ControllerApi.ts';
import { NO_REFS, type Refs } from './records.ts';
import { RowSet } from '../reading/RowSet.ts';
import { getOrInsert } from '../../shared/getOrInsert.ts';

/** Finds the references of stored values, so that disk reads can follow them without knowing classes. */
export class References {
  readonly #controller: ControllerApi;
  readonly #classesByTable = new Map<string, Set<EntityClass>>();
  readonly #explicitKeys = new Set<string>();

  constructor(controller: ControllerApi) {
    this.#controller = controller;
  }

  /** The references of a row through every known class of its table; for a tombstone of a rename, the current row. */
  ofRow(table: string, { value, movedTo }: Pick<StoredRow, 'value' | 'movedTo'>): Refs {
    if (value === undefined) return movedTo === undefined ? NO_REFS : [table, movedTo];
    if (table === RENAMES) return renamedTo({ value });
    const found = new RowSet();
    for (const entity of this.#classes(table)) this.#collect(entity.schema, value, found);
    return found.toRefs();
  }

  /** The references of a result; undefined if its schema is unknown, because this session has not written it. */
  ofResult(key: string, value: unknown): Refs | undefined {
    const schema = this.#controller.schemaOf(key);
    if (schema === undefined) return undefined;
    const found = new RowSet();
    this.#collect(schema, value, found);
    return found.toRefs();
  }

  /**
   * The error for a table named by its class name, which minified builds change, so another build would not find its
   * rows. Undefined for a table with an explicit key.
   */
  defaultedKeyError(table: string): HoldfastError | undefined {
    if (this.#explicitKeys.has(table)) return undefined;
    const classes = this.#classes(table);
    const withoutKey = classes.find((entity) => !hasOwnKey(entity));
    if (withoutKey === undefined) {
      if (classes.length > 0) this.#explicitKeys.add(table);
      return undefined;
    }
    return new HoldfastError(
      'HF_KEY_DEFAULTED',
      `${withoutKey.name} is stored in IndexedDB, but its key is its class name, which minifiers change; ` +
        `set one explicitly: static key = '${withoutKey.name}'`,
    );
  }

  #collect(schema: Schema, value: unknown, found: RowSet): void {
    references(schema, value, (entity, pk) => {
      this.#registerClass(entity);
      found.add(entity.key, pk);
    });
  }

  /** Several classes may read a table, such as a summary and a detail, with different relations. */
  #registerClass(entity: EntityClass): void {
    getOrInsert(this.#classesByTable, entity.key, () => new Set()).add(entity);
  }

  #classes(table: string): readonly EntityClass[] {
    for (const entity of this.#controller.entitiesOf(table)) this.#registerClass(entity);
    return [...(this.#classesByTable.get(table) ?? [])];
  }
}
