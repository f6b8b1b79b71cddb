/** What went wrong, as sentences for a person: the server's own where it sent some. */
export function problemsOf(error: unknown): readonly string[] {
  const { status, body, message } = Object(error) as { status?: number; body?: unknown; message?: string }; // read by name
  const { errors } = Object(body) as { errors?: Readonly<Record<string, readonly string[]>> }; // as the API answers
  if (errors !== undefined)
    return Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => `${field} ${text}`));
  if (status === 0) return ['The server cannot be reached.'];
  return [message ?? 'Something went wrong.'];
}

/** Whether the server wants to know who is asking. */
export function needsSignIn(error: unknown): boolean {
  return (Object(error) as { status?: number }).status === 401; // read by name
}
