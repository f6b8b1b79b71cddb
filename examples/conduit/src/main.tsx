import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { server } from './data/ApiEndpoint.ts';
import './styles.css';

server.url = import.meta.env.VITE_API ?? server.url;

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id “root”.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

if (import.meta.env.PROD && 'serviceWorker' in navigator)
  navigator.serviceWorker.register('/sw.js').catch((error: unknown) => {
    // The app works without, only not when its own server is gone.
    console.warn('The app is not kept on this device.', error);
  });
