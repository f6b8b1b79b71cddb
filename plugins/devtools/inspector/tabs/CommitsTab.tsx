import type { TimelineEntry } from '../../Timeline.ts';
import { CommitDetail } from './CommitDetail.tsx';
import { Delta } from './Delta.tsx';
import { clockTime, counted, withoutOrigin } from '../parts/format.ts';
import { Items } from '../parts/Items.tsx';
import { useTabState } from '../parts/TabState.ts';
import { Search } from '../parts/Search.tsx';
import { Split } from '../parts/Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag, type Tone } from '../parts/Tag.tsx';

/** The last commits and their changes. */
export function CommitsTab({ inspected, view: { commits } }: TabProps) {
  const [text, setText] = useTabState('commits.text');
  const [chosen, setChosen] = useTabState('commits.chosen');
  const wanted = text.trim().toLowerCase();
  const items = commits.filter((each) => wordsOf(each).includes(wanted));
  const entry = commits.find((each) => keyOf(each) === chosen);
  return (
    <Split
      placeholder="Choose a commit to see what it changed."
      onBack={() => setChosen('')}
      toolbar={
        <>
          <Search label="Search commits" value={text} onChange={setText} />
          <span className="summary">{counted(items.length, 'commit')}, newest first</span>
          <span className="bulk">
            <button type="button" className="button" onClick={() => inspected.plugin?.clearTimeline()}>
              Empty the list
            </button>
          </span>
        </>
      }
      list={
        items.length === 0 ? (
          <p className="placeholder">
            {text === '' ? 'Nothing has been committed yet.' : 'No commit has this in it.'}
          </p>
        ) : (
          <Items label="Commits" items={items} keyOf={keyOf} chosen={chosen} onChoose={setChosen}>
            {(each) => (
              <>
                <span className="time">{clockTime(each.at)}</span>
                <Tag tone={toneOf(each)}>{each.action.type}</Tag>
                <span className="title">
                  {withoutOrigin(each.action.name ?? each.action.key ?? each.origin)}
                </span>
                <Delta entry={each} />
              </>
            )}
          </Items>
        )
      }
      detail={entry && <CommitDetail key={chosen} entry={entry} inspected={inspected} />}
    />
  );
}

/** A number that no commit of another page load has. */
function keyOf({ id, at }: TimelineEntry): string {
  return `${id} ${at}`;
}

function wordsOf({ action: { type, name, key }, origin }: TimelineEntry): string {
  return `${type} ${name ?? ''} ${key ?? ''} ${origin}`.toLowerCase();
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
