import { useId, type ReactNode } from 'react';
import { changedLines } from './mergedText.ts';

/** Which version of a text was chosen, and the text that combines the two. */
export interface Choice {
  readonly side: 'mine' | 'theirs' | 'merged';
  readonly merged: string;
}

const names = { mine: 'Yours', theirs: 'Theirs', merged: 'Combine both' } as const;

/** The two versions of one text side by side, and a field for a text that combines them. */
export function ConflictField({
  name,
  mine,
  theirs,
  choice,
  onChange,
}: {
  name: string;
  mine: string;
  theirs: string;
  choice: Choice;
  onChange: (choice: Choice) => void;
}) {
  const group = useId();
  const option = (side: Choice['side'], content: ReactNode) => (
    <label className="version">
      <span className="version-name">
        <input
          type="radio"
          name={group}
          checked={choice.side === side}
          onChange={() => {
            onChange({ ...choice, side });
          }}
        />
        {names[side]}
      </span>
      {content}
    </label>
  );
  return (
    <fieldset className="versions">
      <legend>{name}</legend>
      {option('mine', <Version text={mine} other={theirs} />)}
      {option('theirs', <Version text={theirs} other={mine} />)}
      {option(
        'merged',
        choice.side === 'merged' && (
          <textarea
            aria-label={`${name}, combined`}
            rows={name === 'Title' ? 2 : 8}
            value={choice.merged}
            onChange={(event) => {
              onChange({ side: 'merged', merged: event.target.value });
            }}
          />
        ),
      )}
    </fieldset>
  );
}

/** A text in which the lines that the other lacks are marked. */
function Version({ text, other }: { text: string; other: string }) {
  return (
    <span className="version-text">
      {changedLines(text, other).map(({ line, isChanged }, index) => (
        <span key={index} className="version-line">
          {isChanged ? <mark>{line}</mark> : line || ' '}
        </span>
      ))}
    </span>
  );
}
