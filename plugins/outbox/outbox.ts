import { OfflineQueue } from './OfflineQueue.ts';
import type { OutboxOptions, OutboxPlugin } from './OutboxOptions.ts';

/**
 * Keeps mutations until the server has answered them: each is stored before its first attempt, and sent, in order, as
 * soon as that is possible, whatever happens to the page meanwhile.
 *
 * Online, `fetch` gives the server's answer. Offline, or when the connection fails, it gives what the mutation is
 * expected to answer once it is stored.
 *
 * Give it before `tabs()`, and with `indexedDB()`, which then stores an answer and removes its entry together.
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
  return new OfflineQueue(options);
}
