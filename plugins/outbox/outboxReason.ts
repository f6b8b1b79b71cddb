import type { FailureReason } from './sending/classifyFailure.ts';
import type { OutboxEntry } from './OutboxOptions.ts';

const FAILURES: Readonly<Record<FailureReason, string>> = {
  'no-connection': 'The server cannot be reached. It will be sent as soon as possible.',
  timeout: 'The server takes too long to respond. It will be sent again soon.',
  'server-down': 'The server has a problem. It will be sent as soon as the server works again.',
  'rate-limited': 'The server is busy. It will be sent again soon.',
  'web-page': 'This network may need you to sign in to it. It will be sent after that.',
  'needs-auth': 'You are signed out. It will be sent once you sign in.',
  blocked: 'Something in this browser, in the network or on the server blocks it.',
  conflict: 'Someone else has changed this too. Choose which version to keep.',
  'too-large': 'It is too large for the server.',
  rejected: 'The server did not accept it.',
  error: 'Something went wrong in the app.',
};

/**
 * Why an entry is not on the server yet, in everyday English, for a person. Translate by `status` and `error.reason`.
 *
 * @param isOnline - `useOnline()`, for entries that have not been tried
 */
export function outboxReason({ status, error, dependsOn }: OutboxEntry, isOnline = true): string {
  if (status === 'sending') return 'It is being sent.';
  if (status !== 'queued' && error !== undefined) return FAILURES[error.reason];
  if (dependsOn.length > 0) return 'It waits for another change, which must be saved first.';
  return isOnline ? 'It waits to be sent.' : 'You are offline. It is saved here and will be sent later.';
}
