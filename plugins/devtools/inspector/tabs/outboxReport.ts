import type { Controller, Plugin, PluginStatus } from 'holdfast';

/** A queued mutation, as far as it is shown here. */
export interface QueuedMutation {
  readonly key: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly status: 'pending' | 'sending' | 'needs-auth' | 'blocked' | 'failed';
  readonly createdAt: number;
  readonly attempts: number;
  readonly retryAt: number;
  readonly error?: unknown;
}

/** The part of the outbox plugin that is used here; a plugin of the user's own with the same members does as well. */
export interface Outbox extends Plugin {
  readonly status: PluginStatus<{ readonly entries: readonly QueuedMutation[] }>;
  readonly retry: (key: string) => void;
  readonly discard: (key: string) => boolean;
  readonly drain: () => Promise<boolean>;
}

/** The controller's outbox, where it has one. */
export function outboxOf({ plugins }: Controller): Outbox | undefined {
  const found = plugins.find(({ name }) => name === 'outbox');
  return found !== undefined && 'drain' in found ? (found as Outbox) : undefined; // the outbox is what has that
}
