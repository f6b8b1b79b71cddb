import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { makeChain, makeProject, memberId, stepId } from './graphs.mjs';
import { authorId, changeOf, issueId, issuesJson, makeRows, matchesWindow, rowId, WINDOW } from './data.mjs';

/**
 * Checks that an adapter does what is about to be timed: all of them must read the same data, before and after
 * changes. A library that is fast because it does something else is not faster.
 *
 * @param {import('./Adapter.mjs').Adapter} adapter
 * @throws AssertionError
 */
export async function check(adapter) {
  const cache = await adapter.create();
  if (cache.storeIssues) checkIssues(adapter);
  if (cache.changeRow) await checkRows(adapter);
  if (cache.storeRowResults) checkResults(adapter);
  if (cache.storeProject) checkProject(adapter);
  if (cache.storeSteps) checkSteps(adapter);
  if (cache.openWindow) await checkWindow(adapter);
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
function checkIssues(adapter) {
  const cache = adapter.create();
  const expected = JSON.parse(issuesJson());
  cache.storeIssues(JSON.parse(issuesJson()));
  sameList(cache.readIssues(), expected);
  cache.storeIssues(JSON.parse(issuesJson()));
  sameList(cache.readIssues(), expected);
  for (let nth = 0; nth < 3; nth++) {
    cache.changeIssue(issueId(nth * 400), changeOf(nth));
    Object.assign(expected[nth * 400], changeOf(nth));
    sameList(cache.readIssues(), expected);
  }
  if (cache.changeAuthor) checkAuthor(cache, expected);
}

function checkAuthor(cache, expected) {
  const change = { name: 'Changed' };
  cache.changeAuthor(authorId(7), change);
  for (const { author } of expected) if (author.id === authorId(7)) Object.assign(author, change);
  sameList(cache.readIssues(), expected);
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
async function checkRows(adapter) {
  const cache = await adapter.create();
  const expected = makeRows(50);
  await cache.storeRows(makeRows(50));
  const told = [];
  for (const { id } of expected) cache.watchRow?.(id, (row) => told.push(plain(row)));
  for (let nth = 0; nth < 3; nth++) {
    await cache.changeRow(rowId(20), changeOf(nth));
    Object.assign(expected[20], changeOf(nth));
    deepStrictEqual(plain(await cache.readRow(rowId(20))), expected[20]);
    if (cache.watchRow) deepStrictEqual(told.splice(0), [expected[20]]);
  }
  if (cache.readRows) sameList(cache.readRows(), expected);
  if (cache.pushRow) checkPush(adapter);
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
function checkPush(adapter) {
  const cache = adapter.create();
  const [added, ...rows] = makeRows(50).toReversed();
  cache.storeRows(rows);
  cache.pushRow(added);
  deepStrictEqual(plain(cache.readRow(added.id)), added);
  if (cache.readRows) sameList(cache.readRows(), [...rows, added]);
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
function checkResults(adapter) {
  const cache = adapter.create();
  const rows = makeRows(50);
  cache.storeRowResults(rows);
  if (cache.expireAll) {
    cache.expireAll();
    cache.storeRowResults(rows);
  }
  ok(cache.isRowResultShown(rowId(7)));
  cache.invalidateRowResult(rowId(7));
  ok(!cache.isRowResultShown(rowId(7)));
  ok(cache.isRowResultShown(rowId(8)));
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
function checkProject(adapter) {
  const cache = adapter.create();
  cache.storeProject(makeProject(50));
  for (let nth = 0; nth < 3; nth++) {
    cache.changeMember(memberId(20), { title: `Changed ${nth}` });
    const project = cache.readProject();
    strictEqual(project.members.length, 50);
    strictEqual(project.members[20].title, `Changed ${nth}`);
    for (const member of project.members) strictEqual(member.project, project);
  }
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
function checkSteps(adapter) {
  const cache = adapter.create();
  cache.storeSteps(makeChain(5_000));
  for (let nth = 0; nth < 3; nth++) {
    cache.changeStep(stepId(4_999), { title: `Changed ${nth}` });
    let step = cache.readStep(stepId(0));
    for (let index = 0; index < 4_999; index++) step = step.next;
    deepStrictEqual([step.title, step.next], [`Changed ${nth}`, null]);
  }
}

/** @param {import('./Adapter.mjs').Adapter} adapter */
async function checkWindow(adapter) {
  const cache = await adapter.create();
  const rows = makeRows(3_000);
  await cache.storeRows(makeRows(3_000));
  const { read, show } = await cache.openWindow(WINDOW.repoId);
  const expected = (limit = WINDOW.limit) =>
    rows
      .filter(matchesWindow)
      .sort((left, right) => right.score - left.score)
      .slice(0, limit);
  sameList(await read(), expected());
  for (const index of [7, 8, 47, 2_987]) {
    await cache.setScore(rowId(index), 10_000 + index);
    rows[index].score = 10_000 + index;
    sameList(await read(), expected());
  }
  sameList(await show(60), expected(60));
}

/** Compares member by member, so that a difference is shown without all the rest. */
function sameList(list, expected) {
  strictEqual(list.length, expected.length);
  for (const [index, member] of expected.entries()) deepStrictEqual(plain(list[index]), member);
}

/** The data without the classes of the library, without the type names that GraphQL adds, and without the state that TanStack DB adds. */
function plain(value) {
  return JSON.parse(
    JSON.stringify(value, (key, member) =>
      key === '__typename' || key.startsWith('$') ? undefined : member,
    ),
  );
}
