import { isTemporaryPk, type Controller } from 'holdfast';
import type { OutboxEntry } from 'holdfast/outbox';
import { Issue, type IssueChanges, type NewIssue } from '../model/Issue.ts';
import type { NewComment } from '../model/Comment.ts';
import { statusGroups, statusName } from '../model/statuses.ts';
import type { IconName } from '../ui/Icon.tsx';

/** An entry of the outbox, for a person. */
export interface EntryText {
  readonly icon: IconName;
  /** What it does, such as “Close HAR-4 as Done”. */
  readonly title: string;
  /** What it is about, in the words of the issue or comment. */
  readonly detail: string;
}

/** Describes what an entry of the outbox does. */
export function entryText(controller: Controller, { name, args }: OutboxEntry): EntryText {
  if (name === 'Issue.create') {
    const [{ title }] = args as readonly [NewIssue]; // of the endpoint
    return { icon: 'plus', title: 'Create an issue', detail: title };
  }
  const [{ id, issue = id }, body] = args as readonly [{ id?: string; issue?: string }, unknown]; // of all others
  const known = controller.get(Issue, { id: issue });
  const named = issue === undefined || isTemporaryPk(issue) ? 'the new issue' : issue;
  const detail = known?.title ?? '';
  if (name === 'Comment.create')
    return { icon: 'comment', title: `Comment on ${named}`, detail: (body as NewComment).body };
  if (name === 'Issue.delete') return { icon: 'trash', title: `Delete ${named}`, detail };
  const changes = body as IssueChanges; // of the last that remains
  if (changes.status !== undefined) {
    const isClosed = statusGroups.closed?.includes(changes.status);
    const status = statusName(changes.status);
    const title = isClosed ? `Close ${named} as ${status}` : `Move ${named} to ${status}`;
    return { icon: 'check', title, detail };
  }
  const title = `Change ${fieldsOf(changes)} of ${named}`;
  return { icon: 'edit', title, detail: changes.title ?? detail };
}

function fieldsOf({ version: _number, base: _before, ...fields }: IssueChanges): string {
  const names = Object.keys(fields);
  return names.includes('body') ? 'the text' : `the ${names.join(' and ')}`;
}
