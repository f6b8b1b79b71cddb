import { useSyncExternalStore } from 'react';
import { HoldfastError } from 'holdfast';
import { useController } from 'holdfast/react';
import type { OutboxActions, OutboxPlugin, OutboxState } from './OutboxOptions.ts';

/**
 * What is in the outbox, and what can be done with it. Renders again when that changes.
 *
 * @example
 * const { pending, failed, retry, discard } = useOutbox();
 * @throws HoldfastError `HF_PLUGIN` when the controller has no outbox
 */
export function useOutbox(): OutboxState & OutboxActions {
  const { plugins } = useController();
  const found = plugins.find(({ name }) => name === 'outbox');
  if (found === undefined)
    throw new HoldfastError(
      'HF_PLUGIN',
      'useOutbox() was called where the controller has no outbox; give it outbox() among its plugins',
    );
  const { status, retry, discard, edit, resume, drain, isPending } = found as OutboxPlugin; // nothing else has its name
  const state = useSyncExternalStore(status.subscribe, status.get, status.get);
  return { ...state, retry, discard, edit, resume, drain, isPending };
}
