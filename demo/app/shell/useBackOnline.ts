import { useController } from 'holdfast/react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { refresh } from '../data/refresh.ts';
import { useReachability } from '../data/services.ts';
import type { Route } from '../routing/route.ts';
import { toast } from '../ui/toasts.ts';

/** Once the server answers again, asks it for what the screen shows. */
export function useBackOnline(route: Route): void {
  const controller = useController();
  const reachability = useReachability();
  const before = useRef(reachability);

  const comeBack = useEffectEvent(() => {
    toast('Back online.');
    // Should it be gone again, the saved data stays on screen and the header says so.
    refresh(controller, route).catch(() => undefined);
  });

  useEffect(() => {
    if (before.current === 'offline' && reachability === 'online') comeBack();
    before.current = reachability;
  }, [reachability]);
}
