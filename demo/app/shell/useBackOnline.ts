import { useController, useOnline } from 'holdfast/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { refresh } from '../data/refresh.ts';
import { useQueue } from '../outbox/queue.ts';
import type { Route } from '../routing/route.ts';
import { toast } from '../ui/toasts.ts';

/** Once the server answers again, asks it for what the screen shows. */
export function useBackOnline(route: Route): void {
  const controller = useController();
  const queue = useQueue();
  const isOnline = useOnline();
  const wasOnline = useRef(isOnline);

  const comeBack = useEffectEvent(() => {
    toast('Back online.');
    // First what was done here, so that what is asked for then has it. Should the server be gone again, the saved data
    // stays on screen and the header says so.
    void queue
      .drain()
      .then(() => refresh(controller, route))
      .catch(() => undefined);
  });

  useEffect(() => {
    if (isOnline && !wasOnline.current) comeBack();
    wasOnline.current = isOnline;
  }, [isOnline]);
}
