import { collectionArgs, isExempt, withoutPath } from '../schema/collection/collectionArgs.ts';
import { isPagingWord } from '../schema/collection/nonFilterArguments.ts';
import type { MembersChange } from '../schema/Schema.ts';
import { getOrInsert } from '../util/getOrInsert.ts';
import type { Table } from './Table.ts';

type Lists = Map<string, string[]>;

/** Finds lists by their args. It belongs to all versions of a table, so it may find lists that one does not have. */
interface ListIndex {
  /** The pks that have not been added to the index. */
  readonly rest: Iterator<string, unknown>;
  size: number;
  /** Arg → text → lists. Each list is found by one of its filter args only: the one that the fewest others have. */
  readonly byArg: Map<string, Lists>;
  /** The lists that no filter arg finds. */
  readonly others: string[];
  /** Text → the lists that have it as any arg. */
  readonly byText: Lists;
}

// By the slots of a table, which its versions share.
const indexes = /* @__PURE__ */ new WeakMap<object, ListIndex>();

/** The index of a table, created when it is first needed. */
function indexOf({ slots }: Table<object>): ListIndex {
  const index = getOrInsert(indexes, slots, () => ({
    rest: slots.keys(),
    size: 0,
    byArg: new Map<string, Lists>(),
    others: [],
    byText: new Map(),
  }));
  // An iterator that has reached the end would not continue.
  for (; index.size < slots.size; index.size += 1) {
    const list = index.rest.next().value as string; // there is one more
    let fewest = index.others;
    for (const [name, text] of Object.entries(withoutPath(collectionArgs(list)))) {
      getOrInsert(index.byText, text, noLists).push(list);
      // A paging arg may not filter, and a list of texts matches some of them.
      if (isPagingWord(name) || text.startsWith('[')) continue;
      const lists = getOrInsert(getOrInsert(index.byArg, name, noTexts), text, noLists);
      if (fewest === index.others || lists.length < fewest.length) fewest = lists;
    }
    fewest.push(list);
  }
  return index;
}

const noLists = (): string[] => [];
const noTexts = (): Lists => new Map();

/** The lists that a change may be for. Each of them has to be tested. */
export function listsFor(table: Table<object> | undefined, where: MembersChange['where']): Iterable<string> {
  if (table === undefined) return [];
  if (typeof where === 'function') return table.slots.keys();
  const { byArg, others } = indexOf(table);
  const found = [others];
  for (const [name, lists] of byArg) {
    // A name may be one that objects inherit, but what they inherit is no text.
    const given = where.args.flatMap((args) => args[name] ?? []);
    for (const text of isExempt(name, '', where.exempt, []) ? lists.keys() : given)
      found.push(lists.get(text) ?? []);
  }
  return new Set(found.flat());
}

/** The lists that have a text as one of their args. */
export function listsWith(table: Table<object> | undefined, text: string): readonly string[] {
  return (table && indexOf(table).byText.get(text)) ?? [];
}
