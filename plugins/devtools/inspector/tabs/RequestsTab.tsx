import type { TrafficEntry } from '../../Traffic.ts';
import { DataSection } from '../data/DataSection.tsx';
import { Facts } from '../parts/Facts.tsx';
import { clockTime, duration, messageOf, withoutOrigin } from '../parts/format.ts';
import { Icon } from '../parts/Icon.tsx';
import { Items } from '../parts/Items.tsx';
import { useTabState } from '../parts/TabState.ts';
import { Key } from '../parts/Key.tsx';
import { Search } from '../parts/Search.tsx';
import { Split } from '../parts/Split.tsx';
import type { TabProps } from './TabProps.ts';
import { Tag } from '../parts/Tag.tsx';

/** Requests in flight, and the last completed ones. */
export function RequestsTab({ inspected, view }: TabProps) {
  const [text, setText] = useTabState('requests.text');
  const [chosen, setChosen] = useTabState('requests.chosen');
  const { requests } = view;
  const wanted = text.trim().toLowerCase();
  const items = requests.filter(({ key }) => key.toLowerCase().includes(wanted));
  const entry = requests.find((each) => keyOf(each) === chosen);
  const underWay = requests.filter(({ endedAt }) => endedAt === undefined).length;
  const failed = requests.filter(({ error }) => error !== undefined).length;
  return (
    <Split
      placeholder="Choose a request to see how it went."
      onBack={() => setChosen('')}
      toolbar={
        <>
          <Search label="Search requests" value={text} onChange={setText} />
          <span className="summary">
            {underWay} under way, {requests.length - underWay} ended, {failed} failed
          </span>
        </>
      }
      list={
        items.length === 0 ? (
          <p className="placeholder">{text === '' ? 'No requests so far.' : 'No request has this in it.'}</p>
        ) : (
          <Items label="Requests" items={items} keyOf={keyOf} chosen={chosen} onChoose={setChosen}>
            {(each) => (
              <>
                <span className="time">{clockTime(each.startedAt)}</span>
                <Key text={each.key} />
                <Outcome entry={each} now={view.now} />
              </>
            )}
          </Items>
        )
      }
      detail={entry && <RequestDetail key={chosen} entry={entry} inspected={inspected} view={view} />}
    />
  );
}

function RequestDetail({ entry, inspected, view }: TabProps & { entry: TrafficEntry }) {
  const { endpoint, key, args, startedAt, endedAt, error } = entry;
  return (
    <article className="about">
      <h2>
        <Key text={key} />
      </h2>
      {endpoint.sideEffect !== true && (
        <div className="buttons">
          <button type="button" className="button primary" onClick={() => inspected.refetch(entry)}>
            <Icon name="refetch" />
            Refetch
          </button>
        </div>
      )}
      <Facts
        facts={{
          Endpoint: withoutOrigin(endpoint.name),
          Began: clockTime(startedAt),
          [endedAt === undefined ? 'So far' : 'Took']: duration((endedAt ?? view.now) - startedAt),
        }}
      />
      {error !== undefined && (
        <>
          <p className="error-text">{messageOf(error)}</p>
          <DataSection title="Error" value={error} />
        </>
      )}
      {args.length > 0 && <DataSection title="Args" value={args.length === 1 ? args[0] : args} />}
    </article>
  );
}

function Outcome({ entry, now }: { entry: TrafficEntry; now: number }) {
  const { startedAt, endedAt, error } = entry;
  const took = duration(Math.max(0, (endedAt ?? now) - startedAt));
  if (endedAt === undefined) return <Tag tone="loading">{took}</Tag>;
  return error === undefined ? <Tag tone="fresh">{took}</Tag> : <Tag tone="error">failed</Tag>;
}

/** A number that no request of another page load has. */
function keyOf({ id, startedAt }: TrafficEntry): string {
  return `${id} ${startedAt}`;
}
