import { DataSection } from '../data/DataSection.tsx';
import { Facts } from '../parts/Facts.tsx';
import { ago, clockTime, counted, withoutOrigin } from '../parts/format.ts';
import { expiryText } from './Freshness.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Key } from '../parts/Key.tsx';
import type { ResultItem } from './resultItems.ts';
import type { TabProps } from './TabProps.ts';

/** The details of one result, with its actions. */
export function ResultDetail({ item, inspected, view }: TabProps & { item: ResultItem }) {
  const { key, result, mounted } = item;
  const read = inspected.read(key);
  const isPast = view.past !== undefined;
  const joined = isPast
    ? undefined
    : read && inspected.controller.getResponse(read.endpoint, ...read.args).data;
  return (
    <article className="about">
      <h2>
        <Key text={key} />
      </h2>
      {!isPast && (
        <div className="buttons">
          <button
            type="button"
            className="button primary"
            disabled={read === undefined}
            title={read === undefined ? 'Not read since the page was loaded' : undefined}
            onClick={() => read && inspected.refetch(read)}
          >
            <Icon name="refetch" />
            Refetch
          </button>
          <button type="button" className="button" onClick={() => inspected.expire(key)}>
            Expire
          </button>
          <button type="button" className="button" onClick={() => inspected.invalidate(key)}>
            Invalidate
          </button>
        </div>
      )}
      <Facts
        facts={{
          Endpoint: read && withoutOrigin(read.endpoint.name),
          'On screen': mounted === undefined ? 'no' : `in ${counted(mounted.readers, 'reader')}`,
          Components: mounted && componentsText(inspected.plugin?.components.namesOf(key)),
          Freshness: result ? expiryText(result, view.now) : rowsText(item),
          Received:
            result && `${clockTime(result.meta.receivedAt)}, ${ago(result.meta.receivedAt, view.now)}`,
        }}
      />
      {result?.error !== undefined && <DataSection title="Error" value={result.error} />}
      {read !== undefined && read.args.length > 0 && (
        <DataSection title="Args" value={read.args.length === 1 ? read.args[0] : read.args} />
      )}
      {joined !== undefined && <DataSection title="Data as read" value={joined} isSearchable />}
      {result?.error === undefined && result !== undefined && (
        <DataSection title="As stored: pks in place of entities" value={result.value} />
      )}
    </article>
  );
}

/** `List, Detail (2)`; undefined if no name is known. */
function componentsText(names: ReadonlyMap<string, number> = new Map()): string | undefined {
  const texts = [...names].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
  return texts.length === 0 ? undefined : texts.join(', ');
}

function rowsText({ status }: ResultItem): string | undefined {
  return status === 'missing' ? undefined : `${status}, as the rows that answer it`;
}
