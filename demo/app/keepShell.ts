import { toast } from './ui/toasts.ts';

/** Registers the service worker, and offers a new version of the app once it is installed. */
export async function keepShell(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register('/sw.js');
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const { installing } = registration;
      installing?.addEventListener('statechange', () => {
        // Without a controller this is the first version, which needs no reload.
        if (installing.state === 'installed' && navigator.serviceWorker.controller) offer(installing);
      });
    });
  } catch (error) {
    // The app works without it, except when its own server is down.
    console.warn('The app shell is not kept on this device.', error);
  }
}

function offer(waiting: ServiceWorker): void {
  toast('A new version of Mooring is here.', {
    action: {
      name: 'Reload',
      act: () => {
        navigator.serviceWorker.addEventListener('controllerchange', () => {
          window.location.reload();
        });
        waiting.postMessage('activate');
      },
    },
  });
}
