import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { LayerId } from '../store/Commit.ts';

/** What was asked for, and when. */
export interface Asked {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
  readonly key: string;
  /** The epoch in which it was asked for. */
  readonly epoch: number;
  /** What is shown until the answer comes. */
  readonly layer?: LayerId;
}

/** One request under way. */
export interface Call extends Asked {
  readonly order: number;
  readonly requestedAt: number;
  readonly generation: number;
}
