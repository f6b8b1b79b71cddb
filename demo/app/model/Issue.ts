import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';
import { Label } from './Label.ts';
import { Person } from './Person.ts';
import type { Priority } from './priorities.ts';
import { Project } from './Project.ts';
import type { Status } from './statuses.ts';

export class Issue extends Entity {
  id = '';
  number = 0;
  title = '';
  body = '';
  status: Status = 'triage';
  priority: Priority = 'none';
  project = Project.fromJS();
  author = Person.fromJS();
  assignee: Person | null = null;
  labels: readonly Label[] = [];
  commentCount = 0;
  version = 0;
  createdAt = new Date(0);
  updatedAt = new Date(0);

  static override key = 'Issue';
  // One direction only: the issues of a project, a person or a label are read through list endpoints.
  static override schema = {
    project: Project,
    author: Person,
    assignee: Person,
    labels: [Label],
    createdAt: Date,
    updatedAt: Date,
  };
}

/** What can be sent to change an issue. */
export interface IssueChanges {
  title?: string;
  body?: string;
  status?: Status;
  priority?: Priority;
  assignee?: string | null;
  labels?: readonly string[];
  /** The version that the change was made to; without it the last writer wins. */
  version?: number;
}

/** What can be sent to file an issue. */
export interface NewIssue extends IssueChanges {
  project: string;
  author: string;
  title: string;
}

export const IssueResource = createResource({
  urlPrefix: api,
  path: '/issues/:id',
  schema: Issue,
  dataExpiryLength: Infinity,
});
