/** The contents of the data file: flat records that refer to each other by id. */

export type Status = 'triage' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'canceled';
export type Priority = 'urgent' | 'high' | 'medium' | 'low' | 'none';

export interface ProjectRecord {
  id: string;
  name: string;
  description: string;
  color: string;
  lead: string;
  /** Whether its issues are only sent to devices that request them. */
  large: boolean;
}

export interface PersonRecord {
  id: string;
  name: string;
  role: string;
  team: string;
  location: string;
  hue: number;
}

export interface LabelRecord {
  id: string;
  name: string;
  description: string;
  color: string;
}

export interface IssueRecord {
  id: string;
  project: string;
  number: number;
  title: string;
  body: string;
  status: Status;
  priority: Priority;
  author: string;
  assignee: string | null;
  labels: string[];
  createdAt: string;
  updatedAt: string;
  version: number;
}

export interface CommentRecord {
  id: string;
  issue: string;
  author: string;
  body: string;
  createdAt: string;
  updatedAt: string;
}

/** A deleted issue, so that devices that have it learn of the deletion. */
export interface DeletedRecord {
  id: string;
  deletedAt: string;
}

/** A response stored under its Idempotency-Key, so that a repeated request is not executed twice. */
export interface KeptAnswer {
  key: string;
  status: number;
  body: unknown;
}

export interface Data {
  format: 1;
  projects: ProjectRecord[];
  people: PersonRecord[];
  labels: LabelRecord[];
  issues: IssueRecord[];
  deleted: DeletedRecord[];
  comments: CommentRecord[];
  answers: KeptAnswer[];
  /** The last id assigned, so that a deleted record's id is never reused. */
  lastNumber: Record<string, number>;
  lastComment: number;
}

/** The response of a route; no body for 204. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
