import { Controller } from 'holdfast';
import { createPlugins } from './plugins.ts';

/**
 * Sends what waits in the outbox, without any page: in the service worker.
 *
 * @throws Error when something still waits, so that the browser tries again later
 */
export async function sendInBackground(): Promise<void> {
  const { queue, all } = createPlugins([], 'lazy');
  const controller = new Controller({ plugins: all });
  try {
    await controller.ready;
    if (!(await queue.drain())) throw new Error('Something still waits in the outbox.');
    await controller.flush();
  } finally {
    await controller.stop();
  }
}
