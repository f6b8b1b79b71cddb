/** What the data file holds: flat records that name each other by id. */

export type Status = 'triage' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'canceled';
export type Priority = 'urgent' | 'high' | 'medium' | 'low' | 'none';

export interface ProjectRecord {
  id: string;
  name: string;
  description: string;
  color: string;
  lead: string;
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

/** An answer kept under its Idempotency-Key, so that a repeated request is not carried out twice. */
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
  comments: CommentRecord[];
  answers: KeptAnswer[];
  /** The last number given out, so that a deleted record's id is never given again. */
  lastNumber: Record<string, number>;
  lastComment: number;
}

/** What a route answers with; no body for 204. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}
