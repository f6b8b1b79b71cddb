import { DataProvider } from 'holdfast/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { ConnectionContext, createServices } from './data/services.ts';
import { keepShell } from './keepShell.ts';
import './styles/index.css';

const { controller, connection } = createServices();
const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id “root”.');

createRoot(root).render(
  <StrictMode>
    <ConnectionContext value={connection}>
      <DataProvider controller={controller}>
        <App />
      </DataProvider>
    </ConnectionContext>
  </StrictMode>,
);

if (import.meta.env.PROD) void keepShell();
