import { useRef, useState, type KeyboardEvent } from 'react';
import type { Problem } from '../data/describeError.ts';
import type { Issue, IssueChanges } from '../model/Issue.ts';
import { ConflictDialog } from '../outbox/ConflictDialog.tsx';
import { markOf, shownId, useQueue } from '../outbox/queue.ts';
import { useDraft } from '../settings/useDraft.ts';
import { Notice } from '../ui/Notice.tsx';
import { TitleLength } from '../ui/TitleLength.tsx';
import { toast } from '../ui/toasts.ts';
import { useSaveIssue } from './useSaveIssue.ts';

/** What a person has made of two versions. */
type Decision = Pick<IssueChanges, 'title' | 'body' | 'version' | 'base'>;

/** Edits title and text. What is typed is kept on this device until it is saved or given to the outbox. */
export function IssueEditor({ issue, onDone }: { issue: Issue; onDone: () => void }) {
  const { title: baseTitle, body: baseBody, version: baseVersion } = issue;
  const draft = useDraft(issue.id, { title: baseTitle, body: baseBody, baseTitle, baseBody, baseVersion });
  const { save, saving } = useSaveIssue(issue.id);
  const queue = useQueue();
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  const { title, body } = draft.value;
  // A new version with the same text (another status, say) is no conflict with what is typed here.
  const sameText = draft.value.baseTitle === issue.title && draft.value.baseBody === issue.body;
  const version = sameText ? issue.version : draft.value.baseVersion;

  async function submit(decided?: Decision) {
    const base = { title: draft.value.baseTitle, body: draft.value.baseBody };
    const found = await save({ title, body, version, base, ...decided });
    setProblem(found);
    if (found) return;
    draft.discard();
    toast(
      markOf(queue, issue.id)
        ? 'Saved on this device. It will be sent when the server can be reached.'
        : `${issue.id} was saved.`,
    );
    onDone();
  }

  function cancel() {
    draft.discard();
    onDone();
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
    if (event.key === 'Escape' && title === issue.title && body === issue.body) cancel();
  }

  return (
    <form
      ref={form}
      className="editor"
      aria-label={`Edit ${shownId(issue.id)}`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h1 className="visually-hidden">Edit {shownId(issue.id)}</h1>
      {draft.restored && !problem && <Notice>This is your unsaved draft.</Notice>}
      {problem?.kind === 'conflict' && (
        <ConflictDialog
          issue={issue.id}
          mine={{ title, body, base: { title: draft.value.baseTitle, body: draft.value.baseBody } }}
          onSave={(decided) => void submit(decided)}
          onTheirs={cancel}
          onClose={() => {
            setProblem(undefined);
          }}
        />
      )}
      {(problem?.kind === 'missing' || problem?.kind === 'unreachable' || problem?.kind === 'other') && (
        <Notice tone="warning">Not saved. {problem.message}</Notice>
      )}
      <label className="field">
        <span>
          Title <TitleLength title={title} />
        </span>
        <input
          value={title}
          required
          autoFocus
          aria-invalid={problem?.fields.title ? true : undefined}
          onChange={(event) => {
            draft.change({ title: event.target.value });
          }}
        />
        {problem?.fields.title && <span className="field-problem">{problem.fields.title}</span>}
      </label>
      <label className="field">
        <span>Description</span>
        <textarea
          value={body}
          rows={14}
          maxLength={20_000}
          aria-invalid={problem?.fields.body ? true : undefined}
          onChange={(event) => {
            draft.change({ body: event.target.value });
          }}
        />
        {problem?.fields.body && <span className="field-problem">{problem.fields.body}</span>}
      </label>
      <div className="form-actions">
        <button type="submit" className="button button-primary" disabled={saving}>
          {saving ? 'Saving…' : 'Save'}
        </button>
        <button type="button" className="button" onClick={cancel}>
          Cancel
        </button>
        <span className="muted form-hint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> to save
        </span>
      </div>
    </form>
  );
}
