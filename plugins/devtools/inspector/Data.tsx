import { useState } from 'react';
import { Icon } from './Icon.tsx';

/** Members that are shown at once. */
const PAGE = 50;

/** Plain data as a tree; what is deep is opened by hand. */
export function Data({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const [isOpen, setOpen] = useState(depth < 2);
  const [limit, setLimit] = useState(PAGE);
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return (
      <div className="leaf">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  // An object's members may be anything.
  const members =
    value instanceof Error ? errorMembers(value) : Object.entries(value as Readonly<Record<string, unknown>>);
  const preview = Array.isArray(value) ? `[${value.length}]` : `{${members.length}}`;
  if (members.length === 0) {
    return (
      <div className="leaf">
        <Name name={name} />
        <span className="punctuation">{Array.isArray(value) ? '[]' : '{}'}</span>
      </div>
    );
  }
  return (
    <div className="branch">
      <button type="button" className="twist" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="arrow" />
        <Name name={name} />
        <span className="punctuation">{preview}</span>
      </button>
      {isOpen && (
        <div className="members">
          {members.slice(0, limit).map(([key, member]) => (
            <Data key={key} name={key} value={member} depth={depth + 1} />
          ))}
          {members.length > limit && (
            <button type="button" className="link" onClick={() => setLimit(limit + 10 * PAGE)}>
              {(members.length - limit).toLocaleString('en')} more
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : (
    <>
      <span className="name">{name}</span>
      <span className="punctuation">: </span>
    </>
  );
}

/** A value that has no members. */
export function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="string">“{value}”</span>;
  if (value === undefined || value === null) return <span className="nothing">{String(value)}</span>;
  if (value instanceof Date) return <span className="string">{value.toISOString()}</span>;
  return (
    <span className="number">
      {typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeof value}
    </span>
  );
}

/** Those of interest, which are not enumerable. */
function errorMembers(error: Error): [string, unknown][] {
  const { name, message } = error;
  const own = Object.entries(error).filter(([member]) => member !== 'name' && member !== 'message');
  return [['name', name], ['message', message], ...own];
}
