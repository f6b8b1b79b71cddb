import { describe, expect, it } from '@jest/globals';
import { ChangeHistory } from '../../plugins/tabs/ChangeHistory.ts';
import { ChangeAccumulator } from '../../plugins/tabs/ChangeAccumulator.ts';

/** So many changed results. */
function touched(...keys: string[]): ChangeAccumulator {
  const made = new ChangeAccumulator();
  for (const key of keys) made.results.add(key);
  return made;
}

function many(count: number): ChangeAccumulator {
  return touched(...Array.from({ length: count }, (_member, index) => String(index)));
}

describe('recent changes', () => {
  it('changes are numbered, and can be listed from a number on', () => {
    const recent = new ChangeHistory();
    recent.add(touched('a'), 0);
    recent.add(touched('b'), 0);
    recent.add(touched('a', 'c'), 0);
    expect([recent.start, recent.seq]).toEqual([0, 3]);
    expect([...recent.after(1).results]).toEqual(['b', 'a', 'c']);
    expect(recent.after(3).size).toBe(0);
  });

  it('changes are forgotten after a minute', () => {
    const recent = new ChangeHistory();
    recent.add(touched('a'), 1_000);
    recent.add(touched('b'), 2_000);
    recent.forgetOld(61_001);
    expect([recent.start, recent.seq]).toEqual([1, 2]);
    expect([...recent.after(recent.start).results]).toEqual(['b']);
  });

  it('changes over the limit are forgotten, the oldest first, and still counted', () => {
    const recent = new ChangeHistory();
    recent.add(many(6_000), 0);
    recent.add(many(4_000), 0);
    expect(recent.start).toBe(0);
    recent.add(touched('a'), 0);
    expect(recent.start).toBe(1);
    recent.add(many(5_000), 0);
    expect(recent.start).toBe(1);
    recent.add(many(20_000), 0);
    expect([recent.start, recent.seq]).toEqual([5, 5]);
  });

  it('changes can be void, and the numbers continue', () => {
    const recent = new ChangeHistory();
    recent.add(touched('a'), 0);
    recent.clear();
    expect([recent.start, recent.seq, recent.after(0).size]).toEqual([1, 1, 0]);
  });

  it('a record that another tab has deleted is in none of the changes any more', () => {
    const recent = new ChangeHistory();
    for (const record of ['queued', 'sent', undefined]) {
      const changes = touched();
      changes.side.set('outbox', new Map([['a', record]]));
      recent.add(changes, 0);
    }
    expect(recent.after(0).side.get('outbox')?.has('a')).toBe(true);
    recent.deleteRecord('outbox', 'a');
    expect(recent.after(0).size).toBe(0);
    // The limit counts what is left.
    recent.add(many(10_000), 0);
    expect(recent.start).toBe(0);
  });
});
