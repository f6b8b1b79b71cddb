export { outbox } from './outbox.ts';
export { outboxReason } from './outboxReason.ts';
export { useOutbox, usePending, type Pending } from './useOutbox.ts';
export type {
  OutboxActions,
  OutboxEntry,
  OutboxOptions,
  OutboxPlugin,
  OutboxState,
  Resolution,
} from './OutboxOptions.ts';
export type { Failure, FailureReason } from './sending/classifyFailure.ts';
