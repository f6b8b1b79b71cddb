import { NetworkError, type Controller, type PluginRequest } from 'holdfast';
import type { Drainer } from './Drainer.ts';
import type { Queue } from '../queue/Queue.ts';
import type { Sender } from './Sender.ts';
import { temporaryPksIn, withServerPks } from '../queue/temporaryPks.ts';

/** What a read after the queue needs. */
export interface ReadAfterQueueDeps {
  readonly controller: Controller;
  readonly queue: Queue;
  readonly drainer: Drainer;
  readonly sender: Sender;
}

/** How long a read waits for earlier mutations, in ms. */
const MAX_WAIT = 5_000;

/**
 * Sends a read after the mutations queued before it, so that it sees their effect, and with the server's pks.
 *
 * @throws NetworkError of status 0, without a request, for an entity that is not created yet
 */
export async function readAfterQueue(
  deps: ReadAfterQueueDeps,
  request: PluginRequest,
  next: (request: PluginRequest) => Promise<unknown>,
): Promise<unknown> {
  const { queue, drainer, sender } = deps;
  if (drainer.isRunning && !sender.isResolvingConflict && hasBacklog(queue)) await whenDrained(deps);
  const args = withServerPks(request.args, queue.serverIds);
  for (const pk of temporaryPksIn(args)) {
    if (queue.entries.creatorOf(pk) === undefined) continue;
    throw new NetworkError(`${request.endpoint.name} depends on a queued creation; it waits in the outbox`, {
      status: 0,
      url: '',
      method: 'GET',
    });
  }
  return next(args === request.args ? request : { ...request, args });
}

/** Settles when the queue is drained, or the read has waited long enough. */
function whenDrained({ controller, drainer }: ReadAfterQueueDeps): Promise<void> {
  return new Promise((resolve) => {
    const cancel = controller.schedule(resolve, MAX_WAIT);
    void drainer.wake().finally(() => {
      cancel();
      resolve();
    });
  });
}

function hasBacklog({ entries }: Queue): boolean {
  for (const entry of entries.all()) if (!entry.isDeadLetter && entry.waiter === undefined) return true;
  return false;
}
