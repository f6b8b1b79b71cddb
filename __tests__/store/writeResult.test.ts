import { describe, expect, it } from '@jest/globals';
import type { StoredResult } from 'holdfast';
import { transact } from '../../src/store/transaction.ts';
import { writeResult } from '../../src/store/writeResult.ts';
import { emptyState, mutationMeta, readMeta, result } from './rows.ts';

/** What is stored under a key after these results arrived, and which of them were taken. */
function after(...results: readonly StoredResult[]): { stored: StoredResult | undefined; taken: boolean[] } {
  let state = emptyState();
  const taken: boolean[] = [];
  for (const incoming of results) {
    const outcome = transact(state, (writer) => writeResult(writer, 'key', incoming));
    state = outcome.state;
    taken.push(outcome.value);
  }
  return { stored: state.results.get('key'), taken };
}

describe('a result', () => {
  it('a result is replaced by that of a later request', () => {
    const { stored, taken } = after(result([1], readMeta(1)), result([2], readMeta(2)));
    expect(stored).toEqual(result([2], readMeta(2)));
    expect(taken).toEqual([true, true]);
  });

  it('a result is not replaced by that of an earlier request', () => {
    const { stored, taken } = after(result([2], readMeta(2)), result([1], readMeta(1)));
    expect(stored).toEqual(result([2], readMeta(2)));
    expect(taken).toEqual([true, false]);
  });

  it('an invalidated result ignores responses of requests that started before', () => {
    const invalidated: StoredResult = { value: [1], meta: mutationMeta(5, 5), invalidated: true };
    expect(after(invalidated, result([1], readMeta(4))).stored).toEqual(invalidated);
    expect(after(invalidated, result([1], readMeta(6))).stored).toEqual(result([1], readMeta(6)));
  });

  it('a result keeps the identity of an equal value', () => {
    const first = after(result({ list: ['1'], next: null }, readMeta(1)));
    const state = transact(emptyState(), (writer) => writer.setResult('key', first.stored!)).state;
    const again = transact(state, (writer) =>
      writeResult(writer, 'key', result({ list: ['1'], next: null }, readMeta(2))),
    );
    expect(again.state.results.get('key')?.value).toBe(first.stored?.value);
    expect(again.state.results.get('key')?.meta).toEqual(readMeta(2));
  });

  it('a result that arrives again, for example from disk, is not written', () => {
    const state = transact(emptyState(), (writer) =>
      writeResult(writer, 'key', result(['1'], readMeta(1))),
    ).state;
    const again = transact(state, (writer) => writeResult(writer, 'key', result(['1'], readMeta(1))));
    expect(again.state).toBe(state);
    expect(again.value).toBe(true);
  });

  it('a result keeps data beside an error, and loses the error with new data', () => {
    const failed: StoredResult = { ...result(['1'], readMeta(2)), error: new Error('Down') };
    expect(after(result(['1'], readMeta(1)), failed).stored).toEqual(failed);
    expect(after(failed, result(['1'], readMeta(3))).stored).toEqual(result(['1'], readMeta(3)));
  });

  it.each([[0], [''], [false], [null], [[]]])('a result may be %j', (value) => {
    expect(after(result(value)).stored?.value).toEqual(value);
  });
});
