import { useState } from 'react';
import { jsonOf } from '../data/values.ts';

/** Edits the fields of a row as JSON. */
export function RowEditor({
  value,
  onShow,
  onCancel,
}: {
  value: object;
  onShow: (changed: Readonly<Record<string, unknown>>) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState(() => jsonOf(value));
  const changed = changedFields(value, text);
  const isWrong = typeof changed === 'string';
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onShow(changed);
      }}
    >
      <label>
        <span className="hidden">Fields as JSON</span>
        <textarea
          value={text}
          rows={Math.min(20, text.split('\n').length + 1)}
          spellCheck={false}
          aria-invalid={isWrong}
          aria-describedby="editor-hint"
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p id="editor-hint" className={isWrong ? 'error-text' : 'summary'}>
        {isWrong ? changed : 'The app shows the edit until it is undone. It is neither stored nor sent.'}
      </p>
      <div className="buttons">
        <button
          type="submit"
          className="button primary"
          disabled={isWrong || Object.keys(changed).length === 0}
        >
          Show the edit
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/**
 * The fields of a row that differ in an edited text. A field that JSON cannot express, such as a Date, stays as it is
 * unless its text was changed; a field that the text lacks stays as well.
 *
 * @param text - the fields as JSON
 * @returns a sentence if the text is not a JSON object
 */
export function changedFields(value: object, text: string): Readonly<Record<string, unknown>> | string {
  let edited: unknown;
  try {
    edited = JSON.parse(text);
  } catch (error) {
    return `This is not JSON: ${String(error instanceof Error ? error.message : error)}`;
  }
  if (typeof edited !== 'object' || edited === null || Array.isArray(edited))
    return 'A row is an object: { "field": value }';
  const stored = value as Readonly<Record<string, unknown>>; // read by name
  return Object.fromEntries(
    Object.entries(edited).filter(([field, member]) => jsonOf(member) !== jsonOf(stored[field])),
  );
}
