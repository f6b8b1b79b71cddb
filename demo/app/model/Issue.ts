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
  projectId = '';
  author = Person.fromJS();
  assignee: Person | null = null;
  assigneeId: string | null = null;
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

  /** Adds the fields that lists are filtered and sorted by: an index of an own field is cheaper than one of a relation. */
  static override process(input: Received): object {
    const { priority, project, assignee } = input;
    return {
      ...input,
      ...(priority !== undefined && { rank: priorities.findIndex(({ id }) => id === priority) }),
      ...(project !== undefined && { projectId: idOf(project) }),
      ...(assignee !== undefined && { assigneeId: assignee && idOf(assignee) }),
    };
  }
}

/** An issue or a part of it, as it is stored: relations are nested, or an id. */
interface Received {
  priority?: Priority;
  project?: string | { id: string };
  assignee?: string | { id: string } | null;
}

function idOf(related: string | { id: string }): string {
  return typeof related === 'string' ? related : related.id;
}

/** The longest title that the server accepts, in characters. */
export const longestTitle = 200;

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
