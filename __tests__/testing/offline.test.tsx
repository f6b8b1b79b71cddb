/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { describe, expect, it } from '@jest/globals';
import { act, waitFor } from '@testing-library/react';
import { Controller, createResource } from 'holdfast';
import { outbox } from 'holdfast/outbox';
import { useOnline } from 'holdfast/react';
import { mockRequests, offline, online, renderDataHook } from 'holdfast/testing';
import { ArticleWithNumericId } from '../support/entities.ts';

const ArticleResource = createResource({
  path: '/articles/:id',
  schema: ArticleWithNumericId,
  optimistic: true,
});

describe('offline()', () => {
  it('offline() makes the outbox keep mutations until online()', async () => {
    const asked: unknown[] = [];
    const fixture = {
      endpoint: ArticleResource.partialUpdate,
      response: ({ id }: { id: number }, body: object) => {
        asked.push(body);
        return { id, title: 'Five', ...body };
      },
    };
    const box = outbox({ endpoints: [ArticleResource] });
    const controller = new Controller({ plugins: [box, mockRequests([fixture])] });
    controller.set(ArticleWithNumericId, { id: 5 }, { id: 5, title: 'Five' });
    offline();
    const shown = await controller.fetch(ArticleResource.partialUpdate, { id: 5 }, { title: 'Six' });
    expect(shown).toMatchObject({ title: 'Six' });
    expect([asked, box.status.get().pending.length]).toEqual([[], 1]);
    online();
    await waitFor(() => expect(box.status.get().pending).toEqual([]));
    expect(asked).toEqual([{ title: 'Six' }]);
    await controller.stop();
  });

  it('hooks observe offline()', () => {
    const { result } = renderDataHook(() => useOnline());
    expect(result.current).toBe(true);
    act(offline);
    expect(result.current).toBe(false);
  });

  it('a test may set navigator.onLine itself', () => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    online();
    expect(navigator.onLine).toBe(false);
    Reflect.deleteProperty(navigator, 'onLine');
  });

  it('offline() ends with its test', () => {
    const { result } = renderDataHook(() => useOnline());
    expect([navigator.onLine, result.current]).toEqual([true, true]);
  });
});
