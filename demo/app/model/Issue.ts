import { Entity } from 'holdfast';
import { comments, type Comment } from './Comment.ts';
import { Label } from './Label.ts';
import { Person } from './Person.ts';
import { priorities, type Priority } from './priorities.ts';
import { Project } from './Project.ts';
import type { Status } from './statuses.ts';

export class Issue extends Entity {
  id = '';
  number = 0;
  title = '';
  body = '';
  status: Status = 'triage';
  priority: Priority = 'none';
  /** The place of its priority, to sort by. */
  rank = 0;
  project = Project.fromJS();
  author = Person.fromJS();
  assignee: Person | null = null;
  labels: readonly Label[] = [];
  commentCount = 0;
  version = 0;
  createdAt = new Date(0);
  updatedAt = new Date(0);
  /** Only an issue that is just being filed brings them: none. They are the list that its comments are read through. */
  comments: readonly Comment[] | undefined = undefined;

  static override key = 'Issue';
  // One direction only: the issues of a project, a person or a label are read through list endpoints.
  static override schema = {
    project: Project,
    author: Person,
    assignee: Person,
    labels: [Label],
    createdAt: Date,
    updatedAt: Date,
    comments,
  };

  /** Adds what issues are sorted by and the server does not send. */
  static override process(input: object): object {
    if (!('priority' in input)) return { ...input };
    return { ...input, rank: priorities.findIndex(({ id }) => id === input.priority) };
  }
}

/** What a person writes in an issue. */
export interface IssueText {
  title: string;
  body: string;
}

/** What can be sent to file an issue. */
export interface NewIssue extends IssueText {
  project: string;
  author: string;
  status: Status;
  priority: Priority;
  assignee: string | null;
  labels: readonly string[];
}

/** What can be sent to change an issue. */
export interface IssueChanges extends Partial<NewIssue> {
  /** The version that the change was made to; without it the last writer wins. */
  version?: number;
  /** The text as it was before the change: never sent, but needed to tell who changed what in a conflict. */
  base?: IssueText;
}
