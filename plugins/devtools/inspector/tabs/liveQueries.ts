import type { MountedQuery, QueryIndex } from 'holdfast';

/** Whether a query has a `Select` or `Aggregate` in it. */
export function isLive({ schema, parts }: MountedQuery): boolean {
  return parts.length > 0 || optionsOf(schema) !== undefined;
}

/** What kind of query it is, and of which tables. Class names do not survive a minifier. */
export function kindOf({ schema, parts }: MountedQuery): string {
  const options = optionsOf(schema);
  const kind = options === undefined ? 'Query' : 'values' in options ? 'Aggregate' : 'Select';
  const tables = [...new Set(parts.map(({ index }) => index.entity.key))];
  return tables.length === 0 ? kind : `${kind} of ${tables.join(', ')}`;
}

/** Whether its first read tests every row of a table, or each change every member of its source. */
export function isUnindexed({ parts }: MountedQuery): boolean {
  return (
    parts.length === 0 ||
    parts.some(
      ({ index: { fields, ranges }, isTested, range }) =>
        isTested && fields.length === 0 && (range === undefined || !ranges.includes(range)),
    )
  );
}

/** An index in words, such as "Issue by project and state, sorted by priority desc". */
export function indexText({ entity, fields, ranges, ordering }: QueryIndex): string {
  const by = fields.length === 0 ? 'all rows' : `by ${fields.join(' and ')}`;
  const levels = JSON.parse(ordering.id) as [path: string[], how: { direction?: string }][]; // as orderingOf writes it
  const order = levels.map(([path, { direction = 'asc' }]) => `${path.join('.')} ${direction}`);
  const sorted = order.length === 0 ? '' : `, sorted by ${order.join(', ')}`;
  return `${entity.key} ${by}${sorted}${ranges.length === 0 ? '' : `, ranges of ${ranges.join(', ')}`}`;
}

function optionsOf(schema: unknown): object | undefined {
  const { options, derive } = Object(schema) as { options?: unknown; derive?: unknown }; // any schema
  return typeof options === 'object' && options !== null && derive === undefined ? options : undefined;
}
