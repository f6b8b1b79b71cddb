import { memo, useContext, useRef } from 'react';
import { renders } from './renders.mjs';
import { StoreContext } from './StoreContext.mjs';

const isSameRow = (left, right) =>
  left.id === right.id &&
  left.title === right.title &&
  left.comments === right.comments &&
  left.score === right.score;

const isSameWindow = (left, right) =>
  left.length === right.length &&
  left.every((member, at) =>
    typeof member === 'string' ? member === right[at] : isSameRow(member, right[at]),
  );

/** Counts a render, and whether it shows what was shown before. */
function useCount(of, value, isSame) {
  const before = useRef(undefined);
  renders[of] += 1;
  if (before.current !== undefined && isSame(before.current, value)) renders.needless += 1;
  before.current = value;
}

function Row({ issue }) {
  useCount('row', issue, isSameRow);
  return (
    <li>
      <b>{issue.title}</b> {issue.comments} <i>{issue.score}</i>
    </li>
  );
}

const GivenRow = memo(Row);

const ReadingRow = memo(function ReadingRow({ id }) {
  const { useIssue } = useContext(StoreContext);
  return <Row issue={useIssue(id)} />;
});

/** The rows of a live query. */
export function Window() {
  const { useWindow } = useContext(StoreContext);
  const members = useWindow();
  useCount('list', members, isSameWindow);
  return (
    <ul>
      {members.map((member) =>
        typeof member === 'string' ? (
          <ReadingRow key={member} id={member} />
        ) : (
          <GivenRow key={member.id} issue={member} />
        ),
      )}
    </ul>
  );
}
