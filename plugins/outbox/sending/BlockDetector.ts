import { HoldfastError } from 'holdfast';
import type { Entry } from '../queue/Entry.ts';
import type { Queue } from '../queue/Queue.ts';
import { failureOf, messageOf } from './classifyFailure.ts';
import { diagnose } from './diagnose.ts';
import { headerOf } from './requestOf.ts';

/** Attempts without an answer, while the API answers others, before a mutation counts as blocked. */
const MAX_CONTRADICTIONS = 3;

/** Finds entries whose requests the browser, a proxy or a mistake blocks, although the API answers others. */
export class BlockDetector {
  readonly #queue: Queue;
  /** How many requests the API has answered, from any caller. */
  answers = 0;

  constructor(queue: Queue) {
    this.#queue = queue;
  }

  /** Finds out whether there is no connection, or the browser blocks only this request. */
  async diagnose(entry: Entry, error: unknown): Promise<void> {
    const { idempotencyKey, attempts } = entry.record;
    const finding = await diagnose(error, headerOf(this.#queue.options));
    if (finding === 'unreachable') entry.contradictions = 0;
    // Without a URL, it comes from a custom endpoint or from the app's own code.
    if (finding === undefined) this.onFalseOutage(entry, error);
    if (finding === undefined || finding === 'unreachable') return;
    entry.contradictions += 1;
    const isSame = entry.record.idempotencyKey === idempotencyKey && entry.record.attempts === attempts;
    if (
      !isSame ||
      !this.#queue.entries.isCurrent(entry) ||
      entry.isSending ||
      this.#queue.isStopped ||
      entry.record.status === 'blocked'
    )
      return;
    if (finding.isCertain || entry.contradictions >= MAX_CONTRADICTIONS)
      this.#blocked(entry, finding.message, error);
  }

  /**
   * There was no response, or an HTML page instead of one: because of the network or a captive portal, unless the API
   * answers other requests in between.
   */
  onFalseOutage(entry: Entry, error: unknown): void {
    if (entry.answersBefore !== this.answers) entry.contradictions += 1;
    entry.answersBefore = this.answers;
    if (entry.contradictions >= MAX_CONTRADICTIONS) this.onContradicted(entry, error);
  }

  /** Several attempts have failed although the API answers others. */
  onContradicted(entry: Entry, error: unknown): void {
    if (!this.#queue.entries.isCurrent(entry) || entry.record.status === 'blocked') return;
    this.#blocked(
      entry,
      `${messageOf(error)}. ${entry.record.attempts} attempts have failed, although the API responds to other requests; correct it with edit(), or remove it with discard()`,
      error,
    );
  }

  #blocked(entry: Entry, message: string, cause: unknown): void {
    const problem = new HoldfastError('HF_OUTBOX_BLOCKED', `${entry.record.name}: ${message}`, { cause });
    this.#queue.update(entry, 'block', { problem: failureOf(problem, 'blocked') });
    this.#queue.report(problem);
  }
}
