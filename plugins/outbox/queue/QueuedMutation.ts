import type { EndpointInterface, LayerId, CreatedRow, Mutation } from 'holdfast';

/** A mutation that notifies when its prediction changes. */
export class QueuedMutation implements Mutation {
  readonly endpoint: EndpointInterface;
  args: readonly unknown[];
  readonly temporaryPk: string;
  readonly createdAt: number;
  readonly order: number;
  layer: LayerId | undefined;
  createdRow: CreatedRow | undefined;
  /** Called after each change of the prediction. */
  onExpected: ((mutation: QueuedMutation) => void) | undefined;
  #expected: unknown;

  constructor({ endpoint, args, temporaryPk, createdAt, order }: Mutation) {
    this.endpoint = endpoint;
    this.args = args;
    this.temporaryPk = temporaryPk;
    this.createdAt = createdAt;
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
