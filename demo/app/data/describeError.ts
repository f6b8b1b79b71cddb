import { isUnreachable } from './connection.ts';

/** What went wrong, for a person, and which fields of a form it is about. */
export interface Problem {
  kind: 'unreachable' | 'missing' | 'conflict' | 'invalid' | 'other';
  message: string;
  fields: Readonly<Record<string, string>>;
}

interface ServerError {
  message?: string;
  fields?: Record<string, string>;
}

export async function describeError(error: unknown): Promise<Problem> {
  if (isUnreachable(error))
    return { kind: 'unreachable', message: 'The server can’t be reached.', fields: {} };
  const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined;
  const said = await readServerError(error);
  const message = said?.message ?? (error instanceof Error ? error.message : 'Something went wrong.');
  const kind =
    status === 404
      ? 'missing'
      : status === 409
        ? 'conflict'
        : status === 400 || status === 422
          ? 'invalid'
          : 'other';
  return { kind, message, fields: said?.fields ?? {} };
}

async function readServerError(error: unknown): Promise<ServerError | undefined> {
  if (!(error instanceof Error) || !('response' in error) || !(error.response instanceof Response))
    return undefined;
  if (error.response.bodyUsed) return undefined;
  try {
    // The shape is our own server's; what lacks it reads as undefined fields.
    const body = (await error.response.clone().json()) as { error?: ServerError };
    return body.error;
  } catch {
    return undefined;
  }
}
