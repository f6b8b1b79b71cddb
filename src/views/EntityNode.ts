import { fillInstance } from '../schema/entity/fillInstance.ts';
import { MISSING } from '../schema/missing.ts';
import { setOrigin } from '../schema/entity/Origin.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { withCurrentPks } from '../store/renames.ts';
import { rowOf, type State } from '../store/State.ts';
import { freezeDenormalized } from '../util/freezeDenormalized.ts';
import { isShallowlyEqual } from '../util/adopt.ts';
import { LONG_LIST } from './ListNode.ts';
import { Node, type DenormalizeContext } from './Node.ts';

/** An entity as one class reads it. */
export class EntityNode extends Node {
  readonly entity: EntityClass;
  readonly pk: string;
  /** Why it is missing, if it is. */
  reason: string | undefined;
  /** The current pk of a renamed entity. */
  #row: EntityValue | string | undefined;
  /** The previous instance; `MISSING` if there was none. */
  #previous: unknown = MISSING;

  constructor(entity: EntityClass, pk: string) {
    super();
    this.entity = entity;
    this.pk = pk;
  }

  override get label(): string {
    return `${this.entity.name} ${JSON.stringify(this.pk)}`;
  }

  override get movedTo(): string | undefined {
    return typeof this.#row === 'string' ? this.#row : undefined;
  }

  /** Its stored row as of the last denormalization. */
  get row(): EntityValue | undefined {
    return typeof this.#row === 'string' ? undefined : this.#row;
  }

  override prepare(state: State, context: DenormalizeContext): boolean {
    const row = rowOf(state, this.entity.key, this.pk);
    this.#row =
      row?.movedTo ?? (row && (withCurrentPks(state, this.entity.schema, row) as EntityValue | undefined)); // renaming keeps the type
    if (typeof this.#row === 'string') return this.#follow(this.#row, context);
    if (this.#row === undefined)
      return this.markMissing(row === undefined ? 'it is not stored' : 'it was deleted');
    const invalidity = this.entity.validate(this.#row);
    if (invalidity) return this.markMissing(invalidity === true ? 'validate() found it invalid' : invalidity);
    this.reason = undefined;
    this.value = this.shell(this.#row);
    return true;
  }

  /** The value of a row, which `fill` completes. */
  protected shell(_row: EntityValue): object {
    this.#previous = this.value;
    const instance = new this.entity();
    setOrigin(instance, this.pk);
    return instance;
  }

  override fill(context: DenormalizeContext): void {
    if (typeof this.#row === 'string') {
      this.value = context.entity(this.entity, this.#row);
      return;
    }
    const instance = this.value as Record<string, unknown>; // created by prepare()
    const missing = fillInstance(instance, this.entity, this.#row as EntityValue, context); // set by prepare()
    if (missing !== undefined) this.markMissing(`its required field "${missing}" is missing`);
    else if (this.#previous !== MISSING) this.#keepLists(instance, this.#previous as Record<string, unknown>); // an instance
  }

  /** A short list with the same members keeps its identity, as long lists do by themselves. */
  #keepLists(instance: Record<string, unknown>, previous: Record<string, unknown>): void {
    for (const field of Object.keys(this.entity.schema)) {
      const stored = (this.#row as EntityValue)[field]; // as in fill()
      if (!Array.isArray(stored) || stored.length >= LONG_LIST) continue;
      // An accessor of the class may hide the data.
      if (Object.hasOwn(instance, field) && isShallowlyEqual(previous[field], instance[field]))
        instance[field] = previous[field];
    }
  }

  override isStored(state: State): boolean {
    return rowOf(state, this.entity.key, this.pk) !== undefined;
  }

  override freeze(): void {
    if (process.env.NODE_ENV !== 'production') freezeDenormalized(this.value);
  }

  /** Shows the value of the node of another pk. */
  #follow(to: string, context: DenormalizeContext): true {
    // Renames may form a cycle; a second visit finds nothing.
    this.markMissing(`it was renamed to ${JSON.stringify(to)}, which is not stored`);
    this.value = context.resolve(context.node(this.entity, to));
    return true;
  }

  /** Marks it as missing. */
  protected markMissing(reason: string): false {
    this.reason = reason;
    this.value = MISSING;
    return false;
  }
}
