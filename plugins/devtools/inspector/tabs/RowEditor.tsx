import { useState } from 'react';
import { jsonOf } from '../data/jsonOf.ts';
import { changedFields } from './changedFields.ts';

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
