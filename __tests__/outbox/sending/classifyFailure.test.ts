import { describe, expect, it } from '@jest/globals';
import { HoldfastError, NetworkError } from 'holdfast';
import { classifyFailure, failureOf } from '../../../plugins/outbox/sending/classifyFailure.ts';
import { answered as answeredBy, noConnection, timedOut } from '../../support/clientErrors.ts';

const refused = (body: unknown, isFromApi = true) =>
  failureOf(
    new NetworkError('No', { status: 422, url: 'https://example.com', method: 'POST', body, isFromApi }),
    'rejected',
  );

describe('what is kept of an error', () => {
  it('a stored error has the body as JSON, which can be cloned', () => {
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
  ])('a stored error has no body if that is no JSON: %s', (_, body) => {
    expect(refused(body())).toEqual({ reason: 'rejected', status: 422, message: expect.any(String) });
  });

  it('a stored error has no body longer than 16,384 characters', () => {
    expect(refused('x'.repeat(16_382)).body).toHaveLength(16_382);
    expect(refused('x'.repeat(16_383))).not.toHaveProperty('body');
  });

  it('a stored error does not contain a web page that came in place of the response', () => {
    expect(refused('<!doctype html>', false)).not.toHaveProperty('body');
  });
});

describe('the reason of a failure', () => {
  const answered = (status: number, isFromApi = true) =>
    new NetworkError('No', {
      status,
      url: 'https://example.com',
      method: 'POST',
      response: new Response(null, { status: status || 200, headers: { 'Retry-After': '3' } }),
      isFromApi,
    });
  const unanswered = new NetworkError('No', { status: 0, url: 'https://example.com', method: 'POST' });

  it.each([
    ['no response', unanswered, 'no-connection', true],
    ['a TypeError of fetch', new TypeError('Failed to fetch'), 'no-connection', true],
    ['a timeout', new DOMException('Late', 'TimeoutError'), 'timeout', true],
    ['an exception of the app', new Error('Wrong'), 'error', false],
    ['a bigint in V8', new TypeError('Do not know how to serialize a BigInt'), 'error', false],
    ['in SpiderMonkey', new TypeError("BigInt value can't be serialized in JSON"), 'error', false],
    ['in JavaScriptCore', new TypeError('JSON.stringify cannot serialize BigInt.'), 'error', false],
    ['a cycle in V8', new TypeError('Converting circular structure to JSON'), 'error', false],
    ['a cycle in SpiderMonkey', new TypeError('cyclic object value'), 'error', false],
    [
      'a header that cannot be sent',
      new HoldfastError('HF_HEADER', 'No', { cause: new TypeError('Invalid value') }),
      'error',
      false,
    ],
    ['500', answered(500), 'server-down', true],
    ['503', answered(503), 'server-down', true],
    ['408', answered(408), 'server-down', true],
    ['425', answered(425), 'server-down', true],
    ['429', answered(429), 'rate-limited', true],
    ['a web page with 403', answered(403, false), 'web-page', true],
    ['a web page with 200', answered(0, false), 'web-page', true],
    ['a web page with 400', answered(400, false), 'web-page', true],
    ['a web page with 413, as of nginx', answered(413, false), 'too-large', false],
    ['a web page with 415', answered(415, false), 'rejected', false],
    ['a web page with 422, as of Express', answered(422, false), 'rejected', false],
    ['401', answered(401), 'needs-auth', false],
    ['a web page with 401', answered(401, false), 'needs-auth', false],
    ['419, a status of pauseOn', answered(419), 'needs-auth', false],
    ['409', answered(409), 'conflict', false],
    ['412', answered(412), 'conflict', false],
    ['413', answered(413), 'too-large', false],
    ['404', answered(404), 'rejected', false],
    ['422', answered(422), 'rejected', false],
  ])(
    'classifyFailure finds the reason of a failure, and whether it is transient: %s',
    (_, error, reason, isTransient) => {
      expect(classifyFailure(error, 0, { pauseOn: [419] })).toMatchObject({ reason, isTransient });
    },
  );

  it('a failure has the delay that Retry-After requests', () => {
    expect(classifyFailure(answered(429), 0).after).toBe(3_000);
    expect(classifyFailure(unanswered, 0).after).toBe(0);
  });
});

describe('the reason of a failure of another HTTP client', () => {
  it.each(noConnection())('$client: no connection', ({ error }) => {
    expect(classifyFailure(error, 0)).toMatchObject({ reason: 'no-connection', isTransient: true });
  });

  it.each(timedOut())('$client: no response in time', ({ error }) => {
    expect(classifyFailure(error, 0)).toMatchObject({ reason: 'timeout', isTransient: true });
  });

  it.each(answeredBy(401))('$client: 401 waits for a sign-in', ({ error }) => {
    expect(classifyFailure(error, 0)).toMatchObject({ reason: 'needs-auth' });
  });

  it.each(answeredBy(409))('$client: 409 is a conflict', ({ error }) => {
    expect(classifyFailure(error, 0)).toMatchObject({ reason: 'conflict' });
  });

  it.each(answeredBy(422))('$client: 422 is a rejection, with its status', ({ error }) => {
    expect(classifyFailure(error, 0)).toMatchObject({ reason: 'rejected', isTransient: false });
    expect(failureOf(error, 'rejected')).toMatchObject({ reason: 'rejected', status: 422 });
  });

  it.each(answeredBy(429, {}, { 'Retry-After': '7' }))(
    '$client: 429 is retried after 7 seconds',
    ({ error }) => {
      expect(classifyFailure(error, 0)).toMatchObject({ reason: 'rate-limited', after: 7_000 });
    },
  );

  it.each(answeredBy(503))('$client: 503 is retried', ({ error }) => {
    expect(classifyFailure(error, 0)).toMatchObject({ reason: 'server-down', isTransient: true });
  });

  it('an error body of axios is kept', () => {
    const [axios] = answeredBy(422, { errors: { text: ['too short'] } });
    expect(failureOf(axios!.error, 'rejected')).toMatchObject({ body: { errors: { text: ['too short'] } } });
  });

  it.each([
    ['a request that axios has canceled', { name: 'CanceledError', code: 'ERR_CANCELED' }],
    ['errors of GraphQL with status 200', { response: { status: 200, errors: [{ message: 'No' }] } }],
    ['a mistake', { cause: new Error('Wrong') }],
    [
      'an error of ours that contains one of the network',
      new HoldfastError('HF_SHAPE', 'No', { cause: new TypeError() }),
    ],
  ])('%s is not retried', (_, error) => {
    expect(classifyFailure(error, 0)).toMatchObject({ isTransient: false });
  });
});
