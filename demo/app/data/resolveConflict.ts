import type { OutboxEntry, Resolution } from 'holdfast/outbox';
import type { IssueChanges, IssueText } from '../model/Issue.ts';

/** An issue in the server's words, as it is in the response to a change of another version. */
export interface CurrentIssue extends IssueText {
  readonly version: number;
  readonly updatedAt: string;
}

interface Conflict {
  readonly error?: { readonly current?: CurrentIssue };
}

/**
 * A change of text that met a newer version goes through when that text has not been changed elsewhere: something else about
 * the issue has changed. Otherwise a person decides (see ../outbox/ConflictDialog.tsx).
 */
export async function resolveConflict(
  { args }: OutboxEntry,
  response: Response | undefined,
): Promise<Resolution> {
  const [params, changes] = args as readonly [object, IssueChanges | undefined]; // only changes of issues have versions
  const { base, ...mine } = changes ?? {};
  if (base === undefined || response === undefined) return undefined;
  const { error } = (await response.clone().json()) as Conflict; // the server's, see server/HttpError.mjs
  const current = error?.current;
  if (current === undefined) return undefined;
  const isUntouched = (field: 'title' | 'body') =>
    mine[field] === undefined || current[field] === base[field] || current[field] === mine[field];
  const { title, body, version } = current;
  if (isUntouched('title') && isUntouched('body')) return { args: [params, { ...changes, version }] };
  return { theirs: current, mine: [params, { ...changes, version, base: { title, body } }] };
}
