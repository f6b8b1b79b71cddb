import type { Controller, Plugin, PluginStatus } from 'holdfast';

/** The properties of a queued mutation that are shown here. */
export interface OutboxEntryReport {
  readonly key: string;
  readonly name: string;
  readonly args: readonly unknown[];
  readonly status: 'queued' | 'sending' | 'retrying' | 'needs-auth' | 'blocked' | 'failed' | 'conflict';
  readonly createdAt: number;
  readonly attempts: number;
  readonly retryAt: number;
  readonly error?: unknown;
}

/** The part of the outbox plugin that is used here; the app's own plugin with the same members works too. */
export interface Outbox extends Plugin {
  readonly status: PluginStatus<{ readonly entries: readonly OutboxEntryReport[] }>;
  readonly retry: (key: string) => void;
  readonly discard: (key: string) => boolean;
  readonly drain: () => Promise<boolean>;
}

/** The controller's outbox, if it has one. */
export function outboxOf({ plugins }: Controller): Outbox | undefined {
  const found = plugins.find(({ name }) => name === 'outbox');
  return found !== undefined && 'drain' in found ? (found as Outbox) : undefined; // only the outbox has this member
}
