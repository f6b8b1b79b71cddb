import { useDeferredValue, useState } from 'react';
import { Data } from './Data.tsx';
import { findIn } from './findIn.ts';
import { hasMembers, jsonOf } from './values.ts';
import { Search } from '../parts/Search.tsx';
import { Icon } from '../parts/Icon.tsx';

/** The maximum number of members in search results. */
const LIMIT = 50;

/** Data under a heading, which can be copied, and searched if it is large. */
export function DataSection({
  title,
  value,
  isSearchable = false,
}: {
  title: string;
  value: unknown;
  isSearchable?: boolean;
}) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  return (
    <section>
      <div className="section-head">
        <h3>{title}</h3>
        {isSearchable && hasMembers(value) && <Search label="Search data" value={text} onChange={setText} />}
        <CopyButton value={value} title={title} />
      </div>
      {wanted === '' ? <Data value={value} /> : <Matches value={value} text={wanted} />}
    </section>
  );
}

function Matches({ value, text }: { value: unknown; text: string }) {
  const found = findIn(value, text, LIMIT);
  if (found.length === 0) return <p className="more">Nothing in it has this.</p>;
  return (
    <>
      {found.map(({ path, value: member }, at) => (
        <Data key={`${at} ${path}`} name={path} value={member} depth={1} />
      ))}
      {found.length === LIMIT && <p className="more">The first {LIMIT}.</p>}
    </>
  );
}

/** Copies data as JSON. Not rendered where the page may not write to the clipboard, as without HTTPS. */
function CopyButton({ value, title }: { value: unknown; title: string }) {
  const [told, setTold] = useState('Copy');
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard === undefined) return null;
  const copy = (): void => {
    clipboard.writeText(jsonOf(value)).then(
      () => setTold('Copied'),
      () => setTold('Not allowed'),
    );
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={`${told}: ${title}`}
      onBlur={() => setTold('Copy')}
      onPointerLeave={() => setTold('Copy')}
      onClick={copy}
    >
      <Icon name="copy" />
      {told}
    </button>
  );
}
