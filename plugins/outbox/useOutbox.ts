import { useSyncExternalStore } from 'react';
import { HoldfastError } from 'holdfast';
import { useController } from 'holdfast/react';
import type { OutboxActions, OutboxPlugin, OutboxState } from './OutboxOptions.ts';

/**
 * The contents of the outbox and its actions. Renders again when the contents change.
 *
 * @example
 * const { pending, failed, retry, discard } = useOutbox();
 * @throws HoldfastError `HF_PLUGIN` when the controller has no outbox
 */
export function useOutbox(): OutboxState & OutboxActions {
  const box = useOutboxPlugin();
  const { status, retry, discard, edit, resolve, resume, drain, isPending, pendingFor } = box;
  const state = useSyncExternalStore(status.subscribe, status.get, status.get);
  return { ...state, retry, discard, edit, resolve, resume, drain, isPending, pendingFor };
}

/** The controller's outbox. */
export function useOutboxPlugin(): OutboxPlugin {
  const { plugins } = useController();
  const found = plugins.find(({ name }) => name === 'outbox');
  if (found === undefined)
    throw new HoldfastError(
      'HF_PLUGIN',
      'useOutbox() and usePending() need a controller with an outbox; add outbox() to its plugins',
    );
  return found as OutboxPlugin; // the name is unique
}
