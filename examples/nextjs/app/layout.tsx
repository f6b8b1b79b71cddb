import type { ReactNode } from 'react';
import { Data } from './Data';
import { ServiceWorker } from './ServiceWorker';

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Data>{children}</Data>
        <ServiceWorker />
      </body>
    </html>
  );
}
