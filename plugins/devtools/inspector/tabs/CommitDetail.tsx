import { useMemo } from 'react';
import type { Change } from '../../changesOf.ts';
import type { TimelineEntry } from '../../Timeline.ts';
import type { InspectorStore } from '../InspectorStore.ts';
import { Data } from '../data/Data.tsx';
import { Facts } from '../parts/Facts.tsx';
import { clockTime, counted, withoutOrigin } from '../parts/format.ts';
import { Key } from '../parts/Key.tsx';
import { Scalar } from '../data/Scalar.tsx';
import { hasMembers } from '../data/values.ts';
import { Tag } from '../parts/Tag.tsx';
import { KINDS, touched } from './Delta.tsx';

/** The maximum number of changes of one commit that are shown. */
const SHOWN = 100;

/** The changes of one commit. */
export function CommitDetail({ entry, inspected }: { entry: TimelineEntry; inspected: InspectorStore }) {
  const { action, origin, at, settled } = entry;
  const changes = useMemo(() => entry.changes(), [entry]);
  return (
    <article className="about">
      <h2>
        {action.type} {withoutOrigin(action.name ?? '')}
      </h2>
      <Facts
        facts={{
          At: clockTime(at),
          From: origin,
          Touched: touched(entry),
          Settled: settled > 0 ? counted(settled, 'optimistic layer') : undefined,
        }}
      />
      <div className="buttons">
        <button
          type="button"
          className="button"
          disabled={entry.before === undefined}
          title={
            entry.before === undefined ? 'That state is not kept' : 'Shows results and rows as they were'
          }
          onClick={() => inspected.lookBefore(entry)}
        >
          Look at the state before
        </button>
      </div>
      {action.key !== undefined && (
        <p>
          <Key text={action.key} />
        </p>
      )}
      {changes === undefined ? (
        <p>It was too much, or too long ago, to remember each change.</p>
      ) : (
        <ul className="changes">
          {changes.slice(0, SHOWN).map((change) => (
            <li key={`${change.table ?? ''} ${change.key}`}>
              <ChangeDetail change={change} />
            </li>
          ))}
        </ul>
      )}
      {changes !== undefined && entry.rows + entry.results > SHOWN && (
        <p className="more">
          The first {SHOWN} of {counted(entry.rows + entry.results, 'change')}.
        </p>
      )}
    </article>
  );
}

function ChangeDetail({ change }: { change: Change }) {
  const { kind, table, key, before, after } = change;
  const { sign, tone } = KINDS[kind];
  return (
    <>
      <h3>
        <Tag tone={tone}>
          {sign} {kind}
        </Tag>{' '}
        {table ?? 'Result'} <Key text={key} />
      </h3>
      {kind === 'changed' && <Differences of={change} />}
      {kind === 'added' && <Data value={after} depth={1} />}
      {kind === 'removed' && <Data value={before} depth={1} />}
    </>
  );
}

/** The fields that differ, before and after. */
function Differences({ of: { before, after } }: { of: Change }) {
  return (
    <dl className="differences">
      {[...differences(before, after)].map(({ path, before: from, after: to }) => (
        <div key={path}>
          <dt>{path}</dt>
          <dd>
            <del>
              <Value value={from} />
            </del>
            <span aria-hidden="true"> → </span>
            <ins>
              <Value value={to} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  return hasMembers(value) ? <Data value={value} depth={1} /> : <Scalar value={value} />;
}

/** A member that differs, and its path. */
interface Difference {
  /** Such as `value.total`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The differences between two values: objects are compared member by member, lists as a whole. */
function* differences(before: unknown, after: unknown, path = ''): Iterable<Difference> {
  if (before === after) return;
  if (!isRecord(before) || !isRecord(after)) {
    yield { path, before, after };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* differences(own(before, name), own(after, name), path === '' ? name : `${path}.${name}`);
  }
}

/** An own member of a record, not one of its prototype, such as `constructor`. */
function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
