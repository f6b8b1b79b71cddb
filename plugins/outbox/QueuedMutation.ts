import type { EndpointInterface, LayerId, MadeRow, Mutation } from 'holdfast';

/** A mutation that tells when what is shown of it is worked out anew, as the state below it changes. */
export class QueuedMutation implements Mutation {
  readonly endpoint: EndpointInterface;
  args: readonly unknown[];
  readonly temporaryPk: string;
  readonly askedAt: number;
  readonly order: number;
  layer: LayerId | undefined;
  made: MadeRow | undefined;
  /** Called after each change of what it is expected to answer. */
  onExpected: ((mutation: QueuedMutation) => void) | undefined;
  #expected: unknown;

  constructor({ endpoint, args, temporaryPk, askedAt, order }: Mutation) {
    this.endpoint = endpoint;
    this.args = args;
    this.temporaryPk = temporaryPk;
    this.askedAt = askedAt;
    this.order = order;
  }

  get expected(): unknown {
    return this.#expected;
  }

  set expected(expected: unknown) {
    this.#expected = expected;
    this.onExpected?.(this);
  }
}
