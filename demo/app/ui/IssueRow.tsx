import type { Issue } from '../model/Issue.ts';
import { PendingMark } from '../outbox/PendingMark.tsx';
import { shownId, useMark } from '../outbox/queue.ts';
import { Link } from '../routing/Link.tsx';
import { Avatar } from './Avatar.tsx';
import { Icon } from './Icon.tsx';
import { LabelChip } from './LabelChip.tsx';
import { PriorityIcon } from './PriorityIcon.tsx';
import { RelativeTime } from './RelativeTime.tsx';
import { StatusIcon } from './StatusIcon.tsx';

export function rowId(issue: string): string {
  return `row-${issue}`;
}

/** One line of a list; its container's width decides what of it is shown (styles/list.css). */
export function IssueRow({ issue, href, selected }: { issue: Issue; href: string; selected: boolean }) {
  const mark = useMark(issue.id);
  return (
    <li>
      <Link
        id={rowId(issue.id)}
        className="row"
        href={href}
        data-row
        aria-current={selected ? 'true' : undefined}
        aria-keyshortcuts="j k Enter"
      >
        <PriorityIcon priority={issue.priority} />
        <span className="row-id">{shownId(issue.id)}</span>
        <StatusIcon status={issue.status} />
        <span className="row-title">
          <span className="row-text">{issue.title}</span>
          <PendingMark mark={mark} />
        </span>
        <span className="row-labels">
          {issue.labels.map((label) => (
            <LabelChip key={label.id} label={label} />
          ))}
        </span>
        <span className="row-comments">
          {issue.commentCount > 0 && (
            <>
              <Icon name="comment" />
              <span className="visually-hidden">Comments: </span>
              {issue.commentCount}
            </>
          )}
        </span>
        <Avatar person={issue.assignee} named />
        <span className="row-time">
          <RelativeTime date={issue.updatedAt} short />
        </span>
      </Link>
    </li>
  );
}
