import type { Unsent } from 'holdfast';
import { PROTOCOL, readMessage, type Body, type Message } from './message.ts';
import type { TabsOptions } from './TabsOptions.ts';

/** This tab's end of the broadcast channel of one name and scope. */
export class Channel {
  /** When the last known reset was, in ms since the epoch; 0 for none. */
  resetEpoch = 0;
  /** Whether that reset kept unsent mutations. */
  unsent: Unsent = 'discard';
  /** The id of this tab. */
  readonly id = crypto.getRandomValues(new Uint32Array(3)).join('-');
  readonly #version: string | number | undefined;
  readonly #channel: BroadcastChannel;
  #isClosed = false;

  /** @param onMessage - receives messages for this tab; must not throw */
  constructor(
    { name = 'holdfast', scope = '', version }: TabsOptions,
    onMessage: (message: Message) => void,
  ) {
    this.#version = version;
    this.#channel = new BroadcastChannel(`holdfast ${JSON.stringify([name, scope])}`);
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const received = readMessage(data);
      if (received !== undefined && this.#isForThisTab(received)) onMessage(received);
    };
    // Node would wait for messages for ever (https://nodejs.org/api/worker_threads.html#broadcastchannelunref);
    // browsers have no such method.
    (this.#channel as { unref?: () => void }).unref?.();
  }

  /**
   * Sends nothing once it is closed: a reply that was delayed may be due only then.
   *
   * @throws DataCloneError when the body cannot be cloned
   */
  post(body: Body): void {
    if (this.#isClosed) return;
    this.#channel.postMessage({
      holdfast: PROTOCOL,
      version: this.#version,
      from: this.id,
      epoch: this.resetEpoch,
      unsent: this.unsent,
      ...body,
    } satisfies Message);
  }

  close(): void {
    this.#isClosed = true;
    this.#channel.close();
  }

  #isForThisTab(received: Message): boolean {
    if ('to' in received && received.to !== undefined && !received.to.includes(this.id)) return false;
    // Data of another version is unusable. A reset carries none, and must reach every tab.
    return received.version === this.#version || received.kind === 'reset';
  }
}
