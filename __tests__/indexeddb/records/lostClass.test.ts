import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { findLostClass } from '../../../plugins/indexeddb/records/lostClass.ts';
import { freshIndexedDB } from '../../support/indexedDB.ts';

freshIndexedDB();

/** Like the values of a date library. */
class Moment {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
}

describe('findLostClass', () => {
  it('finds an instance in nested objects and lists, and names where it is', () => {
    expect(findLostClass({ id: '1', steps: [{ at: 1 }, { at: new Moment(2) }] })).toEqual({
      path: '.steps[1].at',
      className: 'Moment',
    });
  });

  it('accepts plain data and classes that a structured clone keeps', () => {
    const { buffer } = new Uint8Array([1]);
    const value = {
      at: new Date(),
      tags: new Set(['a']),
      by: new Map([['b', 1]]),
      buffer,
      file: new Blob([]),
    };
    expect(findLostClass({ ...value, nothing: null, bare: Object.create(null) as object })).toBeUndefined();
  });
});

describe('a row with an instance of a class', () => {
  class Visit extends Entity {
    id = '';
    at: unknown;
    static override key = 'Visit';
  }
  let warn: jest.SpiedFunction<typeof console.warn>;
  beforeEach(() => {
    warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => warn.mockRestore());

  it('is stored, and the developer is warned once for each field', async () => {
    const controller = new Controller({ plugins: [indexedDB({ name: 'visits', persist: 'all' })] });
    await controller.ready;
    controller.set(Visit, { id: '1' }, { id: '1', at: new Moment(1) });
    controller.set(Visit, { id: '2' }, { id: '2', at: new Moment(2) });
    await controller.flush();
    await controller.stop();
    const [call, ...others] = warn.mock.calls;
    expect(call?.[0]).toMatch(/Visit\.at holds an instance of Moment.*HF_ROW_NOT_CLONABLE/s);
    expect(others).toEqual([]);

    const next = new Controller({ plugins: [indexedDB({ name: 'visits', persist: 'all' })] });
    await next.restored;
    expect(next.get(Visit, { id: '2' })?.at).toEqual({ ms: 2 });
    await next.stop();
  });
});
