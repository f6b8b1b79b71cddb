import { fillInstance } from '../schema/fillInstance.ts';
import { MISSING } from '../schema/missing.ts';
import { setOrigin } from '../schema/Origin.ts';
import type { EntityValue } from '../schema/Meta.ts';
import type { EntityClass } from '../schema/Schema.ts';
import { rowOf, type State } from '../store/State.ts';
import { freezeJoined } from '../util/freezeJoined.ts';
import { isShallowlyEqual } from '../util/isShallowlyEqual.ts';
import { LONG_LIST } from './ListNode.ts';
import { Node, type Filling } from './Node.ts';

/** An entity as one class reads it. */
export class EntityNode extends Node {
  readonly entity: EntityClass;
  readonly pk: string;
  /** Why it is missing, where it is. */
  reason: string | undefined;
  /** The pk that it has now, where it was renamed. */
  #row: EntityValue | string | undefined;
  /** The instance before this one; `MISSING` where there was none. */
  #former: unknown = MISSING;

  constructor(entity: EntityClass, pk: string) {
    super();
    this.entity = entity;
    this.pk = pk;
  }

  override get place(): string {
    return `${this.entity.name} ${JSON.stringify(this.pk)}`;
  }

  override get movedTo(): string | undefined {
    return typeof this.#row === 'string' ? this.#row : undefined;
  }

  /** What is stored of it, as of the last join. */
  get row(): EntityValue | undefined {
    return typeof this.#row === 'string' ? undefined : this.#row;
  }

  override open(state: State, join: Filling): boolean {
    const row = rowOf(state, this.entity.key, this.pk);
    this.#row = row?.movedTo ?? row?.value;
    if (typeof this.#row === 'string') {
      // Names may lead in a circle: whoever comes by here again finds nothing.
      this.lose(`it was renamed to ${JSON.stringify(this.#row)}, which is not stored`);
      this.value = join.begin(join.node(this.entity, this.#row));
      return true;
    }
    if (this.#row === undefined) {
      return this.lose(row === undefined ? 'it is not stored' : 'it was deleted');
    }
    const invalidity = this.entity.validate(this.#row);
    if (invalidity) return this.lose(invalidity === true ? 'validate() found it invalid' : invalidity);
    this.reason = undefined;
    this.#former = this.value;
    const instance = new this.entity();
    setOrigin(instance, this.pk);
    this.value = instance;
    return true;
  }

  override fill(join: Filling): void {
    if (typeof this.#row === 'string') {
      this.value = join.entity(this.entity, this.#row);
      return;
    }
    const instance = this.value as Record<string, unknown>; // made by open()
    const missing = fillInstance(instance, this.entity, this.#row as EntityValue, join); // found by open()
    if (missing !== undefined) this.lose(`its required field "${missing}" is missing`);
    else if (this.#former !== MISSING) this.#keepLists(instance, this.#former as Record<string, unknown>); // an instance
  }

  /** Short lists whose members are all the same objects as before stay the same list, as long ones do by themselves. */
  #keepLists(instance: Record<string, unknown>, former: Record<string, unknown>): void {
    for (const field of Object.keys(this.entity.schema)) {
      const stored = (this.#row as EntityValue)[field]; // as in fill()
      if (!Array.isArray(stored) || stored.length >= LONG_LIST) continue;
      // An accessor of the class stands in place of the data.
      if (Object.hasOwn(instance, field) && isShallowlyEqual(former[field], instance[field]))
        instance[field] = former[field];
    }
  }

  override isBacked(state: State): boolean {
    return rowOf(state, this.entity.key, this.pk) !== undefined;
  }

  override freeze(): void {
    if (process.env.NODE_ENV !== 'production') freezeJoined(this.value);
  }

  /** Makes it missing. */
  protected lose(reason: string): false {
    this.reason = reason;
    this.value = MISSING;
    return false;
  }
}
