import { useMemo, useState } from 'react';
import type { Change } from '../changesOf.ts';
import type { TimelineEntry } from '../Timeline.ts';
import { Data, Scalar } from './Data.tsx';
import { clockTime, counted } from './format.ts';
import { Key } from './Key.tsx';
import { Item, Items, Split } from './Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag, type Tone } from './Tag.tsx';

/** Changes of one commit that are shown. */
const SHOWN = 100;

const KINDS: Readonly<Record<Change['kind'], readonly [sign: string, tone: Tone]>> = {
  added: ['+', 'fresh'],
  changed: ['~', 'stale'],
  refreshed: ['↻', 'quiet'],
  removed: ['−', 'error'],
};

/** The last commits and what each of them changed. */
export function CommitsTab({ inspected, view }: TabProps) {
  const [chosen, setChosen] = useState<number>();
  const { commits } = view;
  const entry = commits.find(({ id }) => id === chosen);
  return (
    <Split
      placeholder="Choose a commit to see what it changed."
      onBack={() => setChosen(undefined)}
      toolbar={
        <>
          <span className="summary">{counted(commits.length, 'commit')}, newest first</span>
          <span className="bulk">
            <button type="button" className="button" onClick={() => inspected.plugin?.clearTimeline()}>
              Empty the list
            </button>
          </span>
        </>
      }
      list={
        commits.length === 0 ? (
          <p className="placeholder">Nothing has been committed yet.</p>
        ) : (
          <Items label="Commits">
            {commits.map((each) => (
              <Item key={each.id} isChosen={each.id === chosen} onChoose={() => setChosen(each.id)}>
                <span className="time">{clockTime(each.at)}</span>
                <Tag tone={toneOf(each)}>{each.action.type}</Tag>
                <span className="title">{each.action.name ?? each.action.key ?? each.origin}</span>
                <span className="delta">{deltaOf(each)}</span>
              </Item>
            ))}
          </Items>
        )
      }
      detail={entry && <CommitDetail key={entry.id} entry={entry} />}
    />
  );
}

function CommitDetail({ entry }: { entry: TimelineEntry }) {
  const { action, origin, at, settled } = entry;
  const changes = useMemo(() => entry.changes(), [entry]);
  return (
    <article className="about">
      <h2>
        {action.type} {action.name}
      </h2>
      <dl className="facts">
        <div>
          <dt>At</dt>
          <dd>{clockTime(at)}</dd>
        </div>
        <div>
          <dt>From</dt>
          <dd>{origin}</dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>{deltaOf(entry)}</dd>
        </div>
        {settled > 0 && (
          <div>
            <dt>Settled</dt>
            <dd>{counted(settled, 'optimistic layer')}</dd>
          </div>
        )}
      </dl>
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
  const [sign, tone] = KINDS[kind];
  return (
    <>
      <h3>
        <Tag tone={tone}>
          {sign} {kind}
        </Tag>{' '}
        {table ?? 'Result'} <Key text={key} />
      </h3>
      {kind === 'changed' ? <Differences before={before} after={after} /> : null}
      {kind === 'added' && <Data value={after} depth={1} />}
      {kind === 'removed' && <Data value={before} depth={2} />}
    </>
  );
}

/** The fields that differ, before and after. */
function Differences({ before, after }: { before: unknown; after: unknown }) {
  const [from, to] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(
    (name) => from[name] !== to[name],
  );
  return (
    <dl className="differences">
      {names.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <del>
              <Value value={from[name]} />
            </del>
            <span aria-hidden="true"> → </span>
            <ins>
              <Value value={to[name]} />
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  return typeof value === 'object' && value !== null ? (
    <Data value={value} depth={2} />
  ) : (
    <Scalar value={value} />
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  // Rows and results are shown as objects; anything else has no fields.
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function deltaOf({ rows, results }: TimelineEntry): string {
  const parts = [rows > 0 && counted(rows, 'row'), results > 0 && counted(results, 'result')];
  return parts.filter(Boolean).join(', ') || 'no row';
}

function toneOf({ action }: TimelineEntry): Tone {
  switch (action.type) {
    case 'fetch':
    case 'setResponse':
      return 'fresh';
    case 'fetchError':
    case 'setError':
    case 'reset':
      return 'error';
    case 'optimistic':
    case 'set':
    case 'batch':
      return 'loading';
    case 'invalidate':
    case 'invalidateAll':
    case 'expireAll':
      return 'stale';
    case 'restore':
    case 'hydrate':
    case 'apply':
    case 'collect':
      return 'quiet';
  }
}
