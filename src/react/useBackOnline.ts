import { useEffect } from 'react';
import { whenBackOnline } from '../controller/whenBackOnline.ts';
import { isUnanswered } from '../store/expiry.ts';
import { useController } from './useController.ts';

/** Calls `retry` when the network is back, while `error` is that of a failed connection. */
export function useBackOnline(error: unknown, retry: () => void): void {
  const { environment } = useController();
  const isOffline = isUnanswered(error);
  useEffect(
    () => (isOffline ? whenBackOnline(environment, retry) : undefined),
    [environment, isOffline, retry],
  );
}
