import { Fragment } from 'react';
import { classOf, firstMembers, hasMembers } from './members.ts';
import { Scalar } from './Scalar.tsx';

/** The number of members in a preview. */
const SHOWN = 4;

/** The preview of a closed branch, in one line. */
export function Preview({ value }: { value: object }) {
  const isList = Array.isArray(value);
  return (
    <span className="preview">
      <span className="punctuation">{classOf(value)}</span>
      {firstMembers(value, SHOWN).map(([name, member]) => (
        <Fragment key={name}>
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
