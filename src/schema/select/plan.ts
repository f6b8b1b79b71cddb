import type { EntityClass } from '../Schema.ts';
import { conditionsOf } from './conditions.ts';
import type { Plan } from './LiveIndexes.ts';
import { orderingOf } from './ordering.ts';

/** Compiles the options of a query for one entity. */
export function planOf(
  entity: EntityClass,
  where: Readonly<Record<string, unknown>> | undefined,
  orderBy: unknown,
): Plan {
  const watched: Plan['watched'][number][] = [];
  const onField = (of: EntityClass, field: string | undefined): void => {
    watched.push([of, field]);
  };
  return {
    entity,
    conditions: conditionsOf([entity], where, onField),
    ordering: orderingOf([entity], orderBy, onField),
    watched,
  };
}
