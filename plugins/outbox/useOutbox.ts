import { useMemo } from 'react';
import { HoldfastError, type EntityClass } from 'holdfast';
import { useController, useOnline, useStatus } from 'holdfast/react';
import { outboxReason } from './outboxReason.ts';
import type { OutboxActions, OutboxEntry, OutboxPlugin, OutboxState } from './OutboxOptions.ts';

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
  const state = useStatus(status);
  return useMemo<OutboxState & OutboxActions>(
    () => ({
      ...state,
      retry,
      discard,
      edit,
      resolve,
      resume,
      drain,
      // Other functions after each change: React Compiler and `memo` do not ask the same one about an entity again.
      isPending: (entity) => isPending(entity),
      pendingFor: (entity) => pendingFor(entity),
    }),
    [state, box],
  );
}

/** Why an entity is not the same on the server yet. */
export interface Pending {
  /** The entry: a dead letter that would have changed the entity, or the first entry whose change it shows. */
  readonly entry: OutboxEntry;
  readonly status: OutboxEntry['status'];
  /** The reason in words: see `outboxReason`. */
  readonly reason: string;
}

/**
 * Why an entity is not the same on the server yet; undefined if it is, or without an entity. Renders again only when that
 * changes, so each row of a long list can use it.
 *
 * @example
 * function Row({ task }: { task: Task }) {
 *   const pending = usePending(task);
 *   return <li title={pending?.reason}>{task.text}</li>;
 * }
 * @throws HoldfastError `HF_PLUGIN` when the controller has no outbox
 */
export function usePending(entity: object | undefined): Pending | undefined {
  const box = useOutboxPlugin();
  const isOnline = useOnline();
  const Class = entity?.constructor as EntityClass | undefined; // its class
  const pk = entity && Class?.pk(entity);
  const status = useMemo(() => entity && box.pendingFor(entity), [box, Class, pk]);
  const entry = useStatus(status);
  return entry && { entry, status: entry.status, reason: outboxReason(entry, isOnline) };
}

/** The controller's outbox. */
function useOutboxPlugin(): OutboxPlugin {
  const { plugins } = useController();
  const found = plugins.find(({ name }) => name === 'outbox');
  if (found === undefined)
    throw new HoldfastError('HF_PLUGIN', 'The controller has no outbox; add outbox() to its plugins');
  return found as OutboxPlugin; // the name is unique
}
