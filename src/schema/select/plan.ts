import type { EntityClass } from '../Schema.ts';
import { isEntity } from '../isEntity.ts';
import { conditionsOf, type OnField } from './conditions.ts';
import type { Plan } from './LiveIndexes.ts';
import { orderingOf } from './ordering.ts';

/** Compiles the options of a query for one entity. */
export function planOf(
  entity: EntityClass,
  where: Readonly<Record<string, unknown>> | undefined,
  orderBy: unknown,
): Plan {
  const watched: Plan['watched'][number][] = [];
  const onField: OnField = (of, field) => {
    // An object belongs to a row, of which the field that holds it is watched.
    if (isEntity(of)) watched.push([of, field]);
  };
  return {
    entity,
    conditions: conditionsOf([entity], where, onField),
    ordering: orderingOf([entity], orderBy, onField),
    watched,
  };
}
