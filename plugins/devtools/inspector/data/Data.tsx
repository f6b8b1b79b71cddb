import { Fragment, useState } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { classOf, firstMembers, hasMembers, membersOf } from './values.ts';
import { Scalar } from './Scalar.tsx';

/** The number of members that are rendered at first. */
const PAGE = 50;

/** Data as a tree. Its first level is open; closed branches have a preview of one line. */
export function Data({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const [isOpen, setOpen] = useState(depth < 1);
  const [limit, setLimit] = useState(PAGE);
  if (!hasMembers(value)) {
    return (
      <div className="leaf">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    );
  }
  const members = isOpen ? membersOf(value) : [];
  return (
    <div className="branch">
      <button type="button" className="twist" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="arrow" />
        <Name name={name} />
        {isOpen ? <span className="punctuation">{classOf(value)}</span> : <Preview value={value} />}
      </button>
      {isOpen && (
        <div className="members">
          {members.slice(0, limit).map(([key, member], at) => (
            // Keys of a Map may have the same name.
            <Data key={`${at} ${key}`} name={key} value={member} depth={depth + 1} />
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

/** The number of members in a preview. */
const SHOWN = 4;

/** The preview of a closed branch, in one line. */
function Preview({ value }: { value: object }) {
  const isList = Array.isArray(value);
  return (
    <span className="preview">
      <span className="punctuation">{classOf(value)}</span>
      {firstMembers(value, SHOWN).map(([name, member], at) => (
        <Fragment key={at}>
          {'  '}
          {!isList && <span className="punctuation">{name}: </span>}
          {hasMembers(member) ? (
            <span className="punctuation">{classOf(member)}</span>
          ) : (
            <Scalar value={member} limit={40} />
          )}
        </Fragment>
      ))}
    </span>
  );
}
