export { outbox } from './outbox.ts';
export { useOutbox } from './useOutbox.ts';
export type {
  OutboxActions,
  OutboxEntry,
  OutboxOptions,
  OutboxPlugin,
  OutboxState,
  Resolution,
} from './OutboxOptions.ts';
export type { Failure, FailureReason } from './classifyFailure.ts';
