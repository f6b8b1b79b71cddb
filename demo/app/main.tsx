import { DataProvider } from 'holdfast/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { lookInside } from './data/lookInside.ts';
import { ConnectionContext, createServices } from './data/services.ts';
import { StorageContext } from './data/storage.ts';
import { preload } from './data/refresh.ts';
import { keepShell } from './keepShell.ts';
import { QueueContext } from './outbox/queue.ts';
import { currentRoute } from './routing/navigation.ts';
import './styles/index.css';

const inside = await lookInside();
const { controller, connection, storage, queue } = createServices(inside ? [inside.plugin] : []);
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id “root”.');

await preload(controller, currentRoute(), 250);

createRoot(root).render(
  <StrictMode>
    <ConnectionContext value={connection}>
      <StorageContext value={storage}>
        <QueueContext value={queue}>
          <DataProvider controller={controller}>
            <App />
          </DataProvider>
        </QueueContext>
      </StorageContext>
    </ConnectionContext>
  </StrictMode>,
);

inside?.show(controller);
if (import.meta.env.PROD) void keepShell();
