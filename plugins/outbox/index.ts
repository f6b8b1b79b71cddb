export { outbox } from './outbox.ts';
export { outboxReason } from './outboxReason.ts';
export { useOutbox } from './useOutbox.ts';
export { usePending, type Pending } from './usePending.ts';
export type {
  OutboxActions,
  OutboxEntry,
  OutboxOptions,
  OutboxPlugin,
  OutboxState,
  Resolution,
} from './OutboxOptions.ts';
export type { Failure, FailureReason } from './sending/classifyFailure.ts';
