import { describe, HoldfastError } from '../../util/errors.ts';
import { isPlain } from '../../util/isPlain.ts';
import { compareValues } from './compareValues.ts';
import type { OnField } from './conditions.ts';
import { comparable, fieldOf } from './fields.ts';
import { eachNeeded, type RowReader, type Subject, type SubjectSchema } from './relations.ts';

/** A member of an index: its pk, and the values by which it is sorted. */
export interface Entry {
  readonly pk: string;
  readonly keys: readonly unknown[];
}

/** How members are sorted. */
export interface Ordering {
  /** Its fields and directions as text, without the collators. */
  readonly id: string;
  readonly collators: readonly unknown[];
  /** The values by which a row is sorted. */
  keys(subject: Subject, reader: RowReader): readonly unknown[];
  /** A total order: ties are broken by pk. */
  compare(this: void, left: Entry, right: Entry): number;
}

interface Level {
  readonly path: readonly string[];
  readonly how: unknown;
  readonly read: (subject: Subject, reader: RowReader) => unknown;
  readonly compare: (left: unknown, right: unknown) => number;
}

const NO_KEYS: readonly unknown[] = [];

/**
 * Compiles an `orderBy`.
 *
 * @param subjects - the classes of the rows
 * @throws HoldfastError `HF_NOT_QUERYABLE` for a direction that is none, or a field that is not stored
 */
export function orderingOf(subjects: readonly SubjectSchema[], orderBy: unknown, onField: OnField): Ordering {
  const levels = (Array.isArray(orderBy) ? (orderBy as unknown[]) : [orderBy])
    .filter((one) => one !== undefined)
    .flatMap((one) => levelsOf(subjects, one, [], onField));
  const [only, ...more] = levels;
  return {
    id: JSON.stringify(
      levels.map(({ path, how }) => [
        path,
        isPlain(how) ? { ...how, collator: undefined } : { direction: how },
      ]),
    ),
    collators: levels.map(({ how }) => (isPlain(how) ? how['collator'] : undefined)),
    keys: (subject, reader) =>
      only === undefined ? NO_KEYS : levels.map(({ read }) => read(subject, reader)),
    compare:
      only !== undefined && more.length === 0
        ? (left, right) => only.compare(left.keys[0], right.keys[0]) || comparePks(left.pk, right.pk)
        : (left, right) => {
            for (let at = 0; at < levels.length; at++) {
              const order = levels[at]?.compare(left.keys[at], right.keys[at]) ?? 0;
              if (order !== 0) return order;
            }
            return comparePks(left.pk, right.pk);
          },
  };
}

function levelsOf(
  subjects: readonly SubjectSchema[],
  order: unknown,
  path: readonly string[],
  onField: OnField,
): Level[] {
  if (!isPlain(order)) throw wrongOrder(order, path);
  return Object.entries(order).flatMap(([field, how]) => {
    if (how === undefined) return [];
    if (path.length > 0) for (const subject of subjects) onField(subject, field);
    const { read, relation } = fieldOf(subjects, field);
    if (relation !== undefined) eachNeeded(relation, onField);
    const inner = [...path, field];
    const isNested = isPlain(how) && (relation !== undefined || !isOptions(how));
    if (!isNested) {
      return [
        {
          path: inner,
          how,
          read: (subject, reader) => sortKey(read(subject, reader)),
          compare: comparing(how, inner),
        },
      ];
    }
    return levelsOf(relation?.subjects ?? [], how, inner, onField).map((level) => ({
      ...level,
      read: (subject: Subject, reader: RowReader) => {
        const value = read(subject, reader);
        if (typeof value !== 'object' || value === null) return undefined;
        const nested =
          relation === undefined
            ? { schema: undefined, fields: value as Subject['fields'] }
            : (value as Subject); // as `read` gives relations
        return level.read(nested, reader);
      },
    }));
  });
}

function isOptions(how: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(how).every((name) => name === 'direction' || name === 'nulls' || name === 'collator');
}

function comparing(how: unknown, path: readonly string[]): Level['compare'] {
  const { direction = 'asc', nulls = 'last', collator } = isPlain(how) ? how : { direction: how };
  const isKnown = (direction === 'asc' || direction === 'desc') && (nulls === 'first' || nulls === 'last');
  if (!isKnown) throw wrongOrder(how, path);
  const sign = direction === 'asc' ? 1 : -1;
  const nullSign = nulls === 'first' ? -1 : 1;
  const compareTexts = collator instanceof Intl.Collator ? collator.compare : compareValues;
  return (left, right) => {
    if (left === right) return 0;
    if (left === undefined) return nullSign;
    if (right === undefined) return -nullSign;
    if (typeof left === 'string' && typeof right === 'string') return sign * compareTexts(left, right);
    return sign * compareValues(left, right);
  };
}

/** The comparable form of a value; undefined for null and NaN. */
function sortKey(value: unknown): unknown {
  const key = comparable(value);
  return key === null || Number.isNaN(key) ? undefined : key;
}

/** Whole numbers by their size, then everything else by its text: a total order. */
export function comparePks(left: string, right: string): number {
  if (left === right) return 0;
  const [isLeftNumber, isRightNumber] = [isDigits(left), isDigits(right)];
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  if (isLeftNumber && left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}

function isDigits(pk: string): boolean {
  for (let at = 0; at < pk.length; at++) {
    const code = pk.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return pk !== '';
}

function wrongOrder(how: unknown, path: readonly string[]): HoldfastError {
  return new HoldfastError(
    'HF_NOT_QUERYABLE',
    `orderBy${path.map((field) => `.${field}`).join('')} is ${describe(how)}; give 'asc', 'desc' or { direction, nulls, collator }`,
  );
}
