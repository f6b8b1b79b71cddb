import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Mutation } from './Mutation.ts';

/** An endpoint and its args. */
export interface Called {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

/** What was asked for, and when. */
export interface Asked extends Called {
  readonly key: string;
  /** The epoch in which it was asked for. */
  readonly epoch: number;
  /** The mutation that it is an attempt at, if it is one. */
  readonly mutation?: Mutation | undefined;
}

/** One request under way. */
export interface Call extends Asked {
  readonly order: number;
  readonly requestedAt: number;
  readonly generation: number;
}
