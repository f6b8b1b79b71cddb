import { fillInstance } from '../schema/fillInstance.ts';
import { MISSING } from '../schema/missing.ts';
import type { EntityClass, EntityValue } from '../schema/EntityClass.ts';
import { rowOf, type State } from '../store/State.ts';
import { freezeJoined } from './freezeJoined.ts';
import type { Join } from './Join.ts';
import { Node } from './Node.ts';

/** An entity as one class reads it. */
export class EntityNode extends Node {
  readonly entity: EntityClass;
  readonly pk: string;
  /** Why it is missing, where it is. */
  reason: string | undefined;
  #row: EntityValue | undefined;

  constructor(entity: EntityClass, pk: string) {
    super();
    this.entity = entity;
    this.pk = pk;
  }

  override open(state: State): boolean {
    const row = rowOf(state, this.entity.key, this.pk);
    this.#row = row?.value;
    if (this.#row === undefined) {
      return this.#lose(row === undefined ? 'it is not stored' : 'it was deleted');
    }
    const invalidity = this.entity.validate(this.#row);
    if (invalidity) return this.#lose(invalidity === true ? 'validate() found it invalid' : invalidity);
    this.reason = undefined;
    this.value = new this.entity();
    return true;
  }

  override fill(join: Join): void {
    const missing = fillInstance(this.value as object, this.entity, this.#row as EntityValue, join); // open() set both
    if (missing !== undefined) this.#lose(`its required field "${missing}" is missing`);
  }

  override isBacked(state: State): boolean {
    return rowOf(state, this.entity.key, this.pk) !== undefined;
  }

  override freeze(): void {
    freezeJoined(this.value);
  }

  #lose(reason: string): false {
    this.reason = reason;
    this.value = MISSING;
    return false;
  }
}
