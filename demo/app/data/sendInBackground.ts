import { Controller } from 'holdfast';
import { sharedSession } from '../session/sharedSession.ts';
import { createPlugins } from './plugins.ts';

/**
 * Sends what waits in the outbox of the signed-in person, without any page: in the service worker. Changes of others
 * wait until they sign in.
 *
 * @param tag - of the background sync; only the outbox that asked for it is opened
 * @throws Error when something still waits, so that the browser tries again later
 */
export async function sendInBackground(tag: string): Promise<void> {
  const person = await sharedSession();
  if (person === undefined) return;
  const { queue, all } = createPlugins(person, () => person, [], 'lazy');
  if (queue.syncTag !== tag) return;
  const controller = new Controller({ plugins: all });
  try {
    await controller.ready;
    if (!(await queue.drain())) throw new Error('Something still waits in the outbox.');
    await controller.flush();
  } finally {
    await controller.stop();
  }
}
