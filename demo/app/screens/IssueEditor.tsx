import { useRef, useState, type KeyboardEvent } from 'react';
import type { Problem } from '../data/describeError.ts';
import type { Issue } from '../model/Issue.ts';
import { useDraft } from '../settings/useDraft.ts';
import { Notice } from '../ui/Notice.tsx';
import { toast } from '../ui/toasts.ts';
import { useSaveIssue } from './useSaveIssue.ts';

/** Edits title and text. What is typed is kept on this device until the server has it. */
export function IssueEditor({ issue, onDone }: { issue: Issue; onDone: () => void }) {
  const { title: baseTitle, body: baseBody, version: baseVersion } = issue;
  const draft = useDraft(issue.id, { title: baseTitle, body: baseBody, baseTitle, baseBody, baseVersion });
  const { save, saving } = useSaveIssue(issue.id);
  const [problem, setProblem] = useState<Problem>();
  const form = useRef<HTMLFormElement>(null);
  const { title, body } = draft.value;
  // A new version with the same text (another status, say) is no conflict with what is typed here.
  const sameText = draft.value.baseTitle === issue.title && draft.value.baseBody === issue.body;
  const version = sameText ? issue.version : draft.value.baseVersion;

  async function submit(onVersion: number) {
    const found = await save({ title, body, version: onVersion });
    setProblem(found);
    if (found) return;
    draft.discard();
    toast(`${issue.id} is saved.`);
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
      aria-label={`Edit ${issue.id}`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void submit(version);
      }}
    >
      {draft.restored && !problem && (
        <Notice>This is what you typed earlier. It is not saved on the server yet.</Notice>
      )}
      {problem?.kind === 'unreachable' && (
        <Notice tone="warning">
          Not saved: the server can’t be reached. Your text is safe on this device. Save again when you are
          back.
        </Notice>
      )}
      {problem?.kind === 'conflict' && (
        <Notice
          tone="warning"
          action={
            <button type="button" className="button" onClick={() => void submit(issue.version)}>
              Save mine anyway
            </button>
          }
        >
          {problem.message} Your text is kept.
        </Notice>
      )}
      {(problem?.kind === 'missing' || problem?.kind === 'other') && (
        <Notice tone="warning">Not saved. {problem.message}</Notice>
      )}
      <label className="field">
        <span>Title</span>
        <input
          value={title}
          required
          maxLength={200}
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
