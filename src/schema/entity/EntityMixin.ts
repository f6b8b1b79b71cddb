import { Entity } from './Entity.ts';
import type { EntityClass, Schema } from '../Schema.ts';

/** The static members of `Entity` that may be given as options, too. */
type StaticOptions = Partial<
  Pick<
    EntityClass,
    'process' | 'merge' | 'mergeWithStore' | 'shouldUpdate' | 'shouldReorder' | 'validate' | 'queryKey'
  >
>;

/** The options that turn a class into an entity. */
export interface EntityMixinOptions<T> extends StaticOptions {
  /** The field that holds the primary key, or a function that returns it. Default: the class's `pk()`, or else `id`. */
  readonly pk?:
    | (keyof T & string)
    | ((
        value: T,
        parent?: unknown,
        key?: string,
        args?: readonly unknown[],
      ) => string | number | null | undefined);
  /** Name of the table. Default: the class name, which minifiers change. */
  readonly key?: string;
  /** Field name → schema of that field. */
  readonly schema?: Readonly<Record<string, Schema>>;
  /** Fields by whose values rows can be found. */
  readonly indexes?: readonly string[];
}

/** A class with the static members of an entity. */
export type MixedEntity<B extends new () => object> = EntityClass<InstanceType<B> & Pick<Entity, 'pk'>> &
  Omit<B, 'prototype' | keyof EntityClass>;

/** The properties that every class has of its own. */
const OWN = new Set<PropertyKey>(['prototype', 'name', 'length']);

/**
 * Turns an existing class, whose constructor takes no arguments, into an entity. The class itself stays unchanged.
 * Its static members, such as `merge`, take precedence over those of `Entity`.
 *
 * @example
 * class Account {
 *   username = '';
 *   get initial() {
 *     return this.username.charAt(0);
 *   }
 * }
 * class AccountEntity extends EntityMixin(Account, {
 *   pk: 'username',
 *   key: 'Account',
 * }) {}
 */
export function EntityMixin<B extends new () => object>(
  Base: B,
  options: EntityMixinOptions<InstanceType<B>> = {},
): MixedEntity<B> {
  const Mixed = class extends (Base as new () => object) {}; // a mixin's constructor would have to take any[]
  Object.defineProperty(Mixed, 'name', { value: Base.name, configurable: true });
  for (const member of Reflect.ownKeys(Entity)) {
    const descriptor = Object.getOwnPropertyDescriptor(Entity, member);
    if (descriptor !== undefined && !OWN.has(member) && !(member in Base))
      Object.defineProperty(Mixed, member, descriptor);
  }
  const { pk, ...statics } = options;
  for (const [name, value] of Object.entries(statics))
    Object.defineProperty(Mixed, name, { value, writable: true, enumerable: true, configurable: true });
  if (pk !== undefined || !('pk' in Mixed.prototype))
    Object.defineProperty(Mixed.prototype, 'pk', { value: pkMethod(pk), writable: true, configurable: true });
  return Mixed as unknown as MixedEntity<B>; // it has all of them now
}

function pkMethod<T>(pk: EntityMixinOptions<T>['pk']): unknown {
  if (pk === undefined) return Object.getOwnPropertyDescriptor(Entity.prototype, 'pk')?.value;
  if (typeof pk === 'string') {
    return function (this: Readonly<Record<string, unknown>>): unknown {
      return this[pk];
    };
  }
  return function (this: T, parent?: unknown, key?: string, args?: readonly unknown[]): unknown {
    return pk(this, parent, key, args);
  };
}
