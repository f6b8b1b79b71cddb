import { OutboxPluginImpl } from './OutboxPluginImpl.ts';
import type { OutboxOptions, OutboxPlugin } from './OutboxOptions.ts';

/**
 * Queues mutations until the server has answered them: each is stored before its first attempt, and they are sent in
 * order as soon as possible, even after a reload.
 *
 * Online, `fetch` resolves with the server's response. Offline, or if the connection fails, it resolves with the
 * predicted response once the mutation is stored.
 *
 * Pass it before `tabs()`, and together with `indexedDB()`, which then stores a response and removes its entry in one
 * transaction.
 *
 * @example
 * const box = outbox({
 *   endpoints: [ArticleResource],
 *   init: () => ({ headers: { Authorization: `Bearer ${currentToken()}` } }),
 * });
 * const controller = new Controller({
 *   plugins: [indexedDB({ name: 'app' }), box],
 * });
 * @throws HoldfastError `HF_OUTBOX_NAME` when two endpoints have one name
 */
export function outbox(options: OutboxOptions): OutboxPlugin {
  return new OutboxPluginImpl(options);
}
