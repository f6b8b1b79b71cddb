'use client';

import { Controller, streamedStateSync } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { DataProvider, useStateScript } from 'holdfast/react';
import { useServerInsertedHTML } from 'next/navigation';
import type { ReactNode } from 'react';

const createController = () =>
  typeof window === 'undefined'
    ? new Controller()
    : new Controller({
        initialState: streamedStateSync(),
        plugins: [indexedDB({ name: 'app' })],
      });

export function Data({ children }: { children: ReactNode }) {
  return (
    <DataProvider create={createController}>
      <StreamState>{children}</StreamState>
    </DataProvider>
  );
}

/** Sends data that client components fetch on the server with their HTML. */
function StreamState({ children }: { children: ReactNode }) {
  useServerInsertedHTML(useStateScript());
  return children;
}
