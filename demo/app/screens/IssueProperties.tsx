import { useSuspense } from 'holdfast/react';
import type { Issue, IssueChanges } from '../model/Issue.ts';
import { LabelResource } from '../model/Label.ts';
import { PersonResource } from '../model/Person.ts';
import { priorities, type Priority } from '../model/priorities.ts';
import { statuses, type Status } from '../model/statuses.ts';
import { shownId } from '../outbox/queue.ts';
import { Link } from '../routing/Link.tsx';
import { personPath } from '../routing/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { LabelChip } from '../ui/LabelChip.tsx';
import { LabelPicker } from '../ui/LabelPicker.tsx';
import { PriorityIcon } from '../ui/PriorityIcon.tsx';
import { Property } from '../ui/Property.tsx';
import { RelativeTime } from '../ui/RelativeTime.tsx';
import { Select } from '../ui/Select.tsx';
import { StatusIcon } from '../ui/StatusIcon.tsx';
import { toast } from '../ui/toasts.ts';
import { useSaveIssue } from './useSaveIssue.ts';

/** The fields of an issue beside its text. Each is saved as soon as it is changed. */
export function IssueProperties({ issue }: { issue: Issue }) {
  const { save } = useSaveIssue(issue.id);

  async function change(changes: IssueChanges) {
    const problem = await save(changes);
    if (!problem) return;
    toast(`${shownId(issue.id)} was not changed. ${problem.message}`, {
      tone: 'warning',
      action: { name: 'Try again', act: () => void change(changes) },
    });
  }

  return (
    <dl className="properties">
      <Property name="Status">
        <Select
          label="Status"
          value={issue.status}
          choices={statuses}
          before={<StatusIcon status={issue.status} decorative />}
          onChange={(status) => void change({ status: status as Status /* one of the choices */ })}
        />
      </Property>
      <Property name="Priority">
        <Select
          label="Priority"
          value={issue.priority}
          choices={priorities}
          before={<PriorityIcon priority={issue.priority} decorative />}
          onChange={(priority) => void change({ priority: priority as Priority /* one of the choices */ })}
        />
      </Property>
      <Property name="Assignee">
        <Boundary
          resetKey={issue.id}
          fallback={issue.assignee?.name ?? 'Unassigned'}
          onError={<AssigneeLink issue={issue} />}
        >
          <AssigneeSelect issue={issue} onChange={(assignee) => void change({ assignee })} />
        </Boundary>
      </Property>
      <Property name="Labels" wide>
        <Boundary resetKey={issue.id} fallback={<Chips issue={issue} />} onError={<Chips issue={issue} />}>
          <IssueLabels issue={issue} onChange={(labels) => void change({ labels })} />
        </Boundary>
      </Property>
      <Property name="Updated">
        <span className="property-plain">
          <RelativeTime date={issue.updatedAt} />
        </span>
      </Property>
    </dl>
  );
}

function AssigneeSelect({ issue, onChange }: { issue: Issue; onChange: (assignee: string | null) => void }) {
  const people = useSuspense(PersonResource.getList);
  return (
    <Select
      label="Assignee"
      value={issue.assignee?.id ?? ''}
      choices={[{ id: '', name: 'Unassigned' }, ...people]}
      before={<Avatar person={issue.assignee ?? null} />}
      onChange={(assignee) => {
        onChange(assignee || null);
      }}
    />
  );
}

function AssigneeLink({ issue: { assignee } }: { issue: Issue }) {
  return assignee ? <Link href={personPath(assignee.id)}>{assignee.name}</Link> : 'Unassigned';
}

function IssueLabels({ issue, onChange }: { issue: Issue; onChange: (labels: string[]) => void }) {
  const labels = useSuspense(LabelResource.getList);
  return <LabelPicker labels={labels} chosen={issue.labels.map(({ id }) => id)} onChange={onChange} />;
}

function Chips({ issue }: { issue: Issue }) {
  return issue.labels.map((label) => <LabelChip key={label.id} label={label} />);
}
