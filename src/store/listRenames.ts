import {
  collectionArgs,
  collectionPk,
  isListTable,
  pathOf,
  withoutPath,
  type CollectionArgs,
} from '../schema/collection/collectionArgs.ts';
import type { Meta } from '../schema/Meta.ts';
import { isOlder } from '../schema/order.ts';
import type { Aliases } from './Aliases.ts';
import type { EntityRegistry } from './EntityRegistry.ts';
import { isLive } from './lazyListRow.ts';
import { listsWith } from './listIndex.ts';
import { renamedRow, renamesSince, RENAMES, type PathRename } from './renames.ts';
import { rowOf, type State } from './State.ts';
import type { Writer } from './transaction.ts';

// Lists below a renamed entity, such as the comments at `/articles/:slug/comments`, are identified by its path
// parameters. They move to their new pk when the rename becomes known, or when they are restored after it.

/** A rename of lists. */
interface ListRename {
  /** One of the args of each list that it may concern. */
  readonly text: string;
  /** Gives the new pk of a list; the same one if the rename does not concern it. */
  readonly renamed: (list: string) => string;
}

/** Moves lists whose path begins with the one of a renamed entity, and whose parameters identify it. */
export function byPath(rename: PathRename): ListRename {
  const texts = Object.values(rename.was);
  return {
    text: texts[0] ?? '',
    renamed(list) {
      if (!texts.every((text) => list.includes(inJson(text)))) return list;
      return withArgs(list, (own, path) => renamedParams(own, path, rename));
    },
  };
}

/** Moves lists with a temporary pk among their args, once the server has assigned another. */
export function byTemporaryPk(temporaryPk: string, aliases: Aliases): ListRename {
  return { text: temporaryPk, renamed: (list) => withServerIds(list, aliases) };
}

function withServerIds(list: string, aliases: Aliases): string {
  return withArgs(list, (own) => aliases.params(own));
}

/** The pk of a list with other args; the same one if `replace` returns the args unchanged. */
function withArgs(list: string, replace: (own: CollectionArgs, path: string | undefined) => object): string {
  const args = collectionArgs(list);
  const path = pathOf(args);
  const own = withoutPath(args);
  const replaced = replace(own, path);
  return replaced === own ? list : collectionPk(replaced, path);
}

/**
 * The parameters of a path below that of a renamed entity, with what identifies it now; the same object if they
 * identify another one.
 */
export function renamedParams<T>(
  params: Readonly<Record<string, T>>,
  path: string | undefined,
  { path: parent, was, now }: PathRename,
): Readonly<Record<string, T | string>> {
  const texts = Object.values(params).map(textOf);
  if (path === undefined || !Object.values(was).every((text) => texts.includes(text))) return params;
  const names = paramsBelow(parent, path);
  const nameOf = (name: string): string => names?.get(name) ?? name;
  const isNamed = Object.entries(was).every(([name, text]) => textOf(params[nameOf(name)]) === text);
  if (names === undefined || !isNamed) return params;
  const renamed = Object.entries(now).map(([name, text]) => [nameOf(name), text] as const);
  return { ...params, ...Object.fromEntries(renamed) };
}

/** The text of a parameter. Objects, as in a body, identify nothing, and may have no text. */
function textOf(param: unknown): string {
  // oxlint-disable-next-line typescript/no-base-to-string -- no object
  return typeof param === 'object' ? '' : String(param);
}

/** The names that a longer path has for the parameters of its beginning; undefined if it begins differently. */
function paramsBelow(parent: string, path: string): ReadonlyMap<string, string> | undefined {
  const [above, parts] = [parent.split('/'), path.split('/')];
  if (parts.length <= above.length) return undefined;
  const names = new Map<string, string>();
  for (const [place, part] of above.entries()) {
    const other = parts[place] ?? '';
    if (part.startsWith(':') && other.startsWith(':')) names.set(part.slice(1), other.slice(1));
    else if (part !== other) return undefined;
  }
  return names;
}

/**
 * Moves every stored list that a rename concerns.
 *
 * @param meta - of the rename: a list that is newer knew it
 * @param isStale - whether the lists may lack what others have added
 */
export function moveLists(
  writer: Writer,
  rename: ListRename,
  meta: Meta,
  registry: EntityRegistry,
  isStale = false,
): void {
  for (const [table, from, to] of concerned(writer.before, rename))
    moveList(writer, table, from, to, meta, registry, isStale);
}

/** Whether a rename concerns a stored list. */
export function hasLists(state: State, rename: ListRename): boolean {
  return [...concerned(state, rename)].some(([table, list]) => isLive(rowOf(state, table, list)));
}

/** The lists that a rename concerns, with their new pks. Not all of them may be stored. */
function* concerned(
  state: State,
  { text, renamed }: ListRename,
): Generator<readonly [table: string, from: string, to: string]> {
  for (const table of listTables(state))
    for (const from of listsWith(state.tables[table], text)) {
      const to = renamed(from);
      if (to !== from) yield [table, from, to];
    }
}

function listTables({ tables }: State): readonly string[] {
  return Object.keys(tables).filter(isListTable);
}

function moveList(
  writer: Writer,
  table: string,
  from: string,
  to: string,
  meta: Meta,
  registry: EntityRegistry,
  isStale = false,
): string {
  const row = writer.row(table, from);
  if (to === from || !isLive(row) || isOlder(meta, row.meta)) return from;
  const named = renamedRow(writer.before, registry.schemaOf(table), row, meta);
  const moved = {
    value: named.value,
    meta: {
      ...row.meta,
      order: Math.max(row.meta.order, meta.order),
      answered: row.meta.answered && Math.max(row.meta.answered, meta.answered),
      ...(isStale && { expiresAt: 0 }),
    },
  };
  const target = writer.row(table, to);
  writer.setRow(table, to, isLive(target) && isOlder(moved.meta, target.meta) ? target : moved);
  writer.setRow(table, from, { value: undefined, meta, movedTo: to });
  return to;
}

/** Moves a list that was restored after what identifies it was renamed. */
export function moveRestoredList(
  writer: Writer,
  table: string,
  pk: string,
  meta: Meta,
  registry: EntityRegistry,
  aliases: Aliases,
): void {
  let list = pk;
  for (const rename of renamesSince(writer.before.tables[RENAMES], meta))
    if (rename.value.below !== undefined)
      list = moveList(writer, table, list, byPath(rename.value.below).renamed(list), rename.meta, registry);
  const after = { ...meta, order: meta.order + 1 };
  moveList(writer, table, list, withServerIds(list, aliases), after, registry, true);
}

/** The pk that a list of this age has now, if the entity that it is below was renamed since. */
export function currentList(state: State, list: string, meta: Meta): string {
  return renamesSince(state.tables[RENAMES], meta).reduce(
    (pk, { value: { below } }) => (below === undefined ? pk : byPath(below).renamed(pk)),
    list,
  );
}

/** The pks that a list may have had before renames, by which a disk may still store it. */
export function formerLists(state: State, list: string): readonly string[] {
  // A set, because an entity that is renamed back and forth has the same few pks again and again.
  const found = new Set([list]);
  for (const { value } of [...renamesSince(state.tables[RENAMES])].reverse())
    if (value.below !== undefined) {
      const { path, was, now } = value.below;
      const { renamed } = byPath({ path, was: now, now: was });
      for (const each of [...found]) found.add(renamed(each));
    }
  found.delete(list);
  return [...found];
}

/**
 * Removes the forwarding references from the lists of a former pk, because the server has given that pk to another
 * entity.
 *
 * @param meta - of the other entity
 */
export function releaseLists(writer: Writer, table: string, pk: string, meta: Meta): void {
  for (const { value } of renamesSince(writer.before.tables[RENAMES])) {
    if (value.below === undefined || value.table !== table || value.from !== pk) continue;
    const { renamed } = byPath(value.below);
    for (const name of listTables(writer.before))
      for (const [list, row] of [...writer.rows(name)])
        if (row.movedTo !== undefined && renamed(list) !== list)
          writer.setRow(name, list, { value: undefined, meta });
  }
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
