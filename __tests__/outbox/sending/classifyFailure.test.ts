import { describe, expect, it } from '@jest/globals';
import { NetworkError } from 'holdfast';
import { failureOf } from '../../../plugins/outbox/classifyFailure.ts';

const refused = (body: unknown, isFromApi = true) =>
  failureOf(
    new NetworkError('No', { status: 422, url: 'https://example.com', method: 'POST', body, isFromApi }),
  );

describe('what is kept of an error', () => {
  it('has the body as JSON has it, which survives structured clone', () => {
    const { body } = refused({ errors: { at: new Date(0) }, retry: () => undefined });
    expect(body).toEqual({ errors: { at: '1970-01-01T00:00:00.000Z' } });
    expect(structuredClone(body)).toEqual(body);
    expect(refused('Not on Sundays').body).toBe('Not on Sundays');
  });

  it.each([
    [
      'a cycle',
      () => {
        const body: { self?: unknown } = {};
        return (body.self = body);
      },
    ],
    ['a bigint', () => ({ id: 1n })],
    ['a function', () => () => undefined],
    ['nothing', () => undefined],
  ])('has no body where that is no JSON: %s', (_, body) => {
    expect(refused(body())).toEqual({ status: 422, message: expect.any(String) });
  });

  it('has no body that is longer than 16,384 characters', () => {
    expect(refused('x'.repeat(16_382)).body).toHaveLength(16_382);
    expect(refused('x'.repeat(16_383))).not.toHaveProperty('body');
  });

  it('has no web page that came in place of the answer', () => {
    expect(refused('<!doctype html>', false)).not.toHaveProperty('body');
  });
});
