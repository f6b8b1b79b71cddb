import type { StoredRow, Table } from 'holdfast';

/** One row of a table. */
export interface RowItem {
  readonly pk: string;
  readonly row: StoredRow;
}

/**
 * The first rows that contain a text in their pk or in a field; all rows for an empty text.
 *
 * @param limit - the search ends after this many
 */
export function findRows(table: Table<StoredRow>, text: string, limit: number): readonly RowItem[] {
  const wanted = text.trim().toLowerCase();
  const found: RowItem[] = [];
  for (const [pk, row] of table.entries()) {
    if (found.length >= limit) break;
    if (wanted === '' || pk.toLowerCase().includes(wanted) || occursIn(row.value, wanted))
      found.push({ pk, row });
  }
  return found;
}

function occursIn(value: StoredRow['value'], wanted: string): boolean {
  if (value === undefined) return false;
  for (const field of Object.values(value)) {
    if (
      typeof field === 'string'
        ? field.toLowerCase().includes(wanted)
        : isScalar(field) && String(field) === wanted
    )
      return true;
  }
  return false;
}

function isScalar(value: unknown): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

/** The label of a row: its name or title, or else its first text. */
export function titleOf({ value }: StoredRow): string {
  if (value === undefined) return 'deleted';
  for (const field of ['title', 'name', 'label', 'username', 'text', 'body']) {
    const text = value[field];
    if (typeof text === 'string' && text !== '') return text;
  }
  // A collection's row.
  const { members } = value;
  if (Array.isArray(members)) return `${members.length} members`;
  const text = Object.entries(value).find(
    ([field, other]) => field !== 'id' && typeof other === 'string',
  )?.[1];
  return typeof text === 'string' ? text : '';
}
