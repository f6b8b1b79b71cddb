import { NetworkError, type Controller, type PluginRequest } from 'holdfast';
import type { Drainer } from './Drainer.ts';
import type { Ledger } from './Ledger.ts';
import type { Sender } from './Sender.ts';
import { temporaryPksIn, withServerPks } from './temporaryPks.ts';

/** What a read has to do with. */
export interface Surroundings {
  readonly controller: Controller;
  readonly ledger: Ledger;
  readonly drainer: Drainer;
  readonly sender: Sender;
}

/** How long a read waits for what was queued before it, in ms. */
const PATIENCE = 5_000;

/**
 * Makes a read after what was queued before it, which it should see, and by the server's pks of what has been made.
 *
 * @throws NetworkError of status 0, without asking, for what the server has not been told of
 */
export async function readAfter(
  surroundings: Surroundings,
  request: PluginRequest,
  next: (request: PluginRequest) => Promise<unknown>,
): Promise<unknown> {
  const { ledger, drainer, sender } = surroundings;
  if (drainer.isRunning && !sender.isAsking && hasBacklog(ledger)) await drained(surroundings);
  const args = withServerPks(request.args, ledger.moved);
  for (const pk of temporaryPksIn(args)) {
    if (ledger.entries.maker(pk) === undefined) continue;
    throw new NetworkError(
      `${request.endpoint.name} names something that the server has not been told of yet; it waits in the outbox`,
      { status: 0, url: '', method: 'GET' },
    );
  }
  return next(args === request.args ? request : { ...request, args });
}

/** Settles when what can be sent has been, or that takes too long for a reader. */
function drained({ controller, drainer }: Surroundings): Promise<void> {
  return new Promise((resolve) => {
    const cancel = controller.schedule(resolve, PATIENCE);
    void drainer.wake().finally(() => {
      cancel();
      resolve();
    });
  });
}

function hasBacklog({ entries }: Ledger): boolean {
  for (const entry of entries.all()) if (!entry.isFailed && entry.waiter === undefined) return true;
  return false;
}
