import { isTemporaryPk } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { useId, useState, type KeyboardEvent } from 'react';
import { describeError, type Problem } from '../data/describeError.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { LabelResource } from '../model/Label.ts';
import { PersonResource } from '../model/Person.ts';
import { priorities, type Priority } from '../model/priorities.ts';
import { ProjectResource } from '../model/Project.ts';
import { statuses, type Status } from '../model/statuses.ts';
import { Link } from '../routing/Link.tsx';
import { navigate } from '../routing/navigation.ts';
import { issuePath, projectPath } from '../routing/route.ts';
import { useSession } from '../session/SessionContext.ts';
import { useDraft } from '../settings/useDraft.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { LabelPicker } from '../ui/LabelPicker.tsx';
import { Notice } from '../ui/Notice.tsx';
import { PriorityIcon } from '../ui/PriorityIcon.tsx';
import { Property } from '../ui/Property.tsx';
import { Select } from '../ui/Select.tsx';
import { StatusIcon } from '../ui/StatusIcon.tsx';
import { TitleLength } from '../ui/TitleLength.tsx';
import { toast } from '../ui/toasts.ts';

interface Form {
  title: string;
  body: string;
  status: Status;
  priority: Priority;
  assignee: string;
  labels: string[];
}

const blank: Form = { title: '', body: '', status: 'triage', priority: 'none', assignee: '', labels: [] };

export function NewIssueScreen({ project: id }: { project: string }) {
  const controller = useController();
  const project = useSuspense(ProjectResource.get, { id });
  const people = useSuspense(PersonResource.getList);
  const labels = useSuspense(LabelResource.getList);
  const { person: me } = useSession();
  const draft = useDraft(`new.${id}`, blank);
  const [problem, setProblem] = useState<Problem>();
  const [saving, setSaving] = useState(false);
  const heading = useId();
  const { value: form, change } = draft;

  useShortcuts({
    Escape: () => {
      navigate(projectPath(id));
    },
  });

  async function submit() {
    setSaving(true);
    try {
      const { assignee, ...rest } = form;
      const issue = await controller.fetch(IssueResource.create, {
        ...rest,
        assignee: assignee || null,
        project: id,
        author: me.id,
      });
      draft.discard();
      toast(
        isTemporaryPk(issue.id)
          ? 'Saved on this device. It will be sent when the server can be reached.'
          : `${issue.id} was created.`,
      );
      navigate(issuePath(id, issue.id));
    } catch (error) {
      setProblem(describeError(error));
      setSaving(false);
    }
  }

  function press(event: KeyboardEvent<HTMLFormElement>) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  }

  return (
    <div className="page page-narrow">
      <title>{`New issue · ${project.name} · Mooring`}</title>
      <h1 id={heading}>New issue in {project.name}</h1>
      <form
        className="editor"
        aria-labelledby={heading}
        onKeyDown={press}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {draft.restored && !problem && (
          <Notice
            action={
              <button
                type="button"
                className="button"
                onClick={() => {
                  draft.discard();
                }}
              >
                Discard
              </button>
            }
          >
            This is your unsaved draft.
          </Notice>
        )}
        {problem && <Notice tone="warning">Not created. {problem.message}</Notice>}
        <label className="field">
          <span>
            Title <TitleLength title={form.title} />
          </span>
          <input
            value={form.title}
            required
            autoFocus
            placeholder="Short summary"
            aria-invalid={problem?.fields.title ? true : undefined}
            onChange={(event) => {
              change({ title: event.target.value });
            }}
          />
          {problem?.fields.title && <span className="field-problem">{problem.fields.title}</span>}
        </label>
        <label className="field">
          <span>Description</span>
          <textarea
            value={form.body}
            rows={10}
            maxLength={20_000}
            placeholder="What happened, and what did you expect? You can use **bold**, `code` and - lists."
            onChange={(event) => {
              change({ body: event.target.value });
            }}
          />
        </label>
        <dl className="properties">
          <Property name="Status">
            <Select
              label="Status"
              value={form.status}
              choices={statuses}
              before={<StatusIcon status={form.status} decorative />}
              onChange={(status) => {
                change({ status: status as Status /* one of the choices */ });
              }}
            />
          </Property>
          <Property name="Priority">
            <Select
              label="Priority"
              value={form.priority}
              choices={priorities}
              before={<PriorityIcon priority={form.priority} decorative />}
              onChange={(priority) => {
                change({ priority: priority as Priority /* one of the choices */ });
              }}
            />
          </Property>
          <Property name="Assignee">
            <Select
              label="Assignee"
              value={form.assignee}
              choices={[{ id: '', name: 'Unassigned' }, ...people]}
              before={<Avatar person={people.find(({ id: person }) => person === form.assignee) ?? null} />}
              onChange={(assignee) => {
                change({ assignee });
              }}
            />
          </Property>
          <Property name="Labels" wide>
            <LabelPicker
              labels={labels}
              chosen={form.labels}
              onChange={(chosen) => {
                change({ labels: chosen });
              }}
            />
          </Property>
        </dl>
        <div className="form-actions">
          <button type="submit" className="button button-primary" disabled={saving}>
            {saving ? 'Creating…' : 'Create issue'}
          </button>
          <Link className="button" href={projectPath(id)}>
            Cancel
          </Link>
          <span className="muted form-hint">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> to create
          </span>
        </div>
      </form>
    </div>
  );
}
