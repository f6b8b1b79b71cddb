import { outboxReason, useOutbox, type OutboxEntry } from 'holdfast/outbox';
import { useController } from 'holdfast/react';
import { useState } from 'react';
import type { IssueChanges } from '../model/Issue.ts';
import { Icon } from '../ui/Icon.tsx';
import type { CurrentIssue } from '../data/resolveConflict.ts';
import { ConflictDialog, type Theirs } from './ConflictDialog.tsx';
import { EntryEditor } from './EntryEditor.tsx';
import { entryText } from './entryText.ts';

/** A change that the server did not accept: a person edits it, sends it again or discards it. */
export function FailedEntry({ entry }: { entry: OutboxEntry }) {
  const controller = useController();
  const { retry, discard, edit, resolve } = useOutbox();
  const [doing, setDoing] = useState<'editing' | 'comparing'>();
  const { icon, title, detail } = entryText(controller, entry);
  const isConflict = entry.status === 'conflict';
  const body: unknown = entry.args.at(-1);
  const isText =
    entry.name !== 'Issue.delete' &&
    typeof body === 'object' &&
    body !== null &&
    ('title' in body || 'body' in body);
  const rest = () => {
    setDoing(undefined);
  };

  return (
    <li className="entry entry-failed">
      <span className="entry-icon">
        <Icon name={icon} />
      </span>
      <div className="entry-text">
        <strong>{title}</strong>
        <span className="entry-detail">{detail}</span>
        <p className="entry-problem">
          {outboxReason(entry)} {!isConflict && entry.error?.message}
        </p>
        {doing === 'editing' ? (
          <EntryEditor
            entry={entry}
            onSave={(args) => {
              edit(entry.key, args);
            }}
            onCancel={rest}
          />
        ) : (
          <div className="entry-actions">
            {isConflict && (
              <button
                type="button"
                className="button button-primary"
                onClick={() => {
                  setDoing('comparing');
                }}
              >
                Compare
              </button>
            )}
            {isText && !isConflict && (
              <button
                type="button"
                className="button button-primary"
                onClick={() => {
                  setDoing('editing');
                }}
              >
                Edit
              </button>
            )}
            {!isConflict && (
              <button
                type="button"
                className="button"
                onClick={() => {
                  retry(entry.key);
                }}
              >
                Try again
              </button>
            )}
            <button
              type="button"
              className="button button-quiet"
              onClick={() => {
                discard(entry.key);
              }}
            >
              Discard
            </button>
          </div>
        )}
      </div>
      {doing === 'comparing' && (
        <ConflictDialog
          issue={(entry.args[0] as { id: string }).id /* only changes of issues meet conflicts */}
          mine={body as IssueChanges /* as above */}
          onClose={rest}
          theirs={theirsOf(entry)}
          onTheirs={() => {
            resolve(entry.key, 'theirs');
          }}
          onSave={(changes) => {
            resolve(entry.key, [entry.args[0], { ...(body as IssueChanges), ...changes }]);
          }}
        />
      )}
    </li>
  );
}

function theirsOf({ theirs }: OutboxEntry): Theirs | undefined {
  if (theirs === undefined) return undefined;
  const { updatedAt, ...issue } = theirs as CurrentIssue; // see ../data/resolveConflict.ts
  return { ...issue, updatedAt: new Date(updatedAt) };
}
