import { useEffect } from 'react';
import { onReconnect } from '../controller/Environment.ts';
import { isUnanswered } from '../util/errorStatus.ts';
import { useController } from './useController.ts';

/** Calls `retry` on reconnect, and when the page becomes visible, while `error` is that of a failed connection. */
export function useRetryOnReconnect(error: unknown, retry: () => void): void {
  const { environment } = useController();
  const isOffline = isUnanswered(error);
  useEffect(() => (isOffline ? onReconnect(environment, retry) : undefined), [environment, isOffline, retry]);
}
