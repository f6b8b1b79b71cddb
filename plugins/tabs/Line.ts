import type { Unsent } from 'holdfast';
import { message, readMessage, type Body, type Message } from './message.ts';
import type { TabsOptions } from './TabsOptions.ts';

/** This tab's end of the channel that all tabs of one name and scope share. */
export class Line {
  /** When the last reset known here was, in ms since the epoch; 0 for none. */
  epoch = 0;
  /** What that did with mutations that had not been sent. */
  unsent: Unsent = 'discard';
  readonly #id = crypto.getRandomValues(new Uint32Array(3)).join('-');
  readonly #version: string | number | undefined;
  readonly #channel: BroadcastChannel;

  /** @param hear - gets what is meant for this tab; may throw nothing */
  constructor({ name = 'holdfast', scope = '', version }: TabsOptions, hear: (message: Message) => void) {
    this.#version = version;
    this.#channel = new BroadcastChannel(`holdfast ${JSON.stringify([name, scope])}`);
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const received = readMessage(data);
      if (received !== undefined && this.#isMeant(received)) hear(received);
    };
    // Node would wait for messages for ever; browsers have no such method.
    (this.#channel as { unref?: () => void }).unref?.();
  }

  /** What names this tab to the others. */
  get id(): string {
    return this.#id;
  }

  /** @throws DataCloneError when the body holds something that cannot be cloned */
  post(body: Body): void {
    this.#channel.postMessage(
      message({ version: this.#version, from: this.#id, epoch: this.epoch, unsent: this.unsent }, body),
    );
  }

  close(): void {
    this.#channel.close();
  }

  #isMeant(received: Message): boolean {
    if ('to' in received && received.to !== undefined && !received.to.includes(this.#id)) return false;
    // Data of another version is of no use here. A reset carries none, and must reach whoever shows any.
    return received.version === this.#version || received.kind === 'reset';
  }
}
