import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Mutation } from '../writes/Mutation.ts';

/** An endpoint and its args. */
export interface EndpointCall {
  readonly endpoint: EndpointInterface;
  readonly args: readonly unknown[];
}

/** A request before it is sent. */
export interface PendingRequest extends EndpointCall {
  readonly key: string;
  /** The reset epoch in which it was made. */
  readonly resetEpoch: number;
  /** The mutation that it sends, if any. */
  readonly mutation?: Mutation | undefined;
}

/** A request that was sent. */
export interface NetworkRequest extends PendingRequest {
  readonly order: number;
  readonly requestedAt: number;
  readonly mutationGeneration: number;
}

/** A request of a mutation that was sent. */
export interface MutationRequest extends NetworkRequest {
  readonly mutation: Mutation;
  /** When it was answered, in the order of all requests; undefined if that is now. */
  readonly answered?: number | undefined;
}
