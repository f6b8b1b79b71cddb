'use client';

import { useEffect } from 'react';

export function ServiceWorker() {
  useEffect(() => {
    void navigator.serviceWorker.register('/sw.js');
  }, []);
  return null;
}
