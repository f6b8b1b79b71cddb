import { RefusedError } from './serverWords.ts';

/** What went wrong, for a person, and which fields of a form it is about. */
export interface Problem {
  kind: 'unreachable' | 'missing' | 'conflict' | 'invalid' | 'other';
  message: string;
  fields: Readonly<Record<string, string>>;
}

const kinds: Readonly<Record<number, Problem['kind']>> = {
  400: 'invalid',
  404: 'missing',
  409: 'conflict',
  422: 'invalid',
};

/** Whether no answer came at all; an error of the server is an answer. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 0;
}

export function describeError(error: unknown): Problem {
  if (isUnreachable(error))
    return { kind: 'unreachable', message: 'The server can’t be reached.', fields: {} };
  const message = error instanceof Error ? error.message : 'Something went wrong.';
  if (!(error instanceof RefusedError)) return { kind: 'other', message, fields: {} };
  return { kind: kinds[error.status] ?? 'other', message, fields: error.fields };
}
