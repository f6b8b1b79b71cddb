import type { OutboxEntry } from 'holdfast/outbox';
import { useState } from 'react';
import type { IssueText } from '../model/Issue.ts';
import { TitleLength } from '../ui/TitleLength.tsx';

/** Edits the text of a change that the server did not accept, and sends it again. */
export function EntryEditor({
  entry,
  onSave,
  onCancel,
}: {
  entry: OutboxEntry;
  onSave: (args: readonly unknown[]) => void;
  onCancel: () => void;
}) {
  const sent = entry.args.at(-1) as Partial<IssueText>; // the last argument is the body
  const [text, setText] = useState(sent);
  return (
    <form
      className="editor"
      aria-label="Change what is sent"
      onSubmit={(event) => {
        event.preventDefault();
        onSave([...entry.args.slice(0, -1), { ...sent, ...text }]);
      }}
    >
      {text.title !== undefined && (
        <label className="field">
          <span>
            Title <TitleLength title={text.title} />
          </span>
          <textarea
            rows={3}
            value={text.title}
            required
            autoFocus
            onChange={(event) => {
              setText({ ...text, title: event.target.value.replaceAll('\n', ' ') });
            }}
          />
        </label>
      )}
      {text.body !== undefined && (
        <label className="field">
          <span>Text</span>
          <textarea
            rows={5}
            value={text.body}
            onChange={(event) => {
              setText({ ...text, body: event.target.value });
            }}
          />
        </label>
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary">
          Send again
        </button>
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
