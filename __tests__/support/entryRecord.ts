import type { EntryRecord } from '../../plugins/outbox/storage/record.ts';

/** The record of a queued create. */
export const entryRecord = (order: number): EntryRecord => ({
  name: 'create',
  args: [],
  order,
  revision: 0,
  createdAt: 0,
  attempts: 0,
  idempotencyKey: `key ${order}`,
  temporaryPk: '',
  isAwaited: false,
  scope: null,
  status: 'queued',
});
