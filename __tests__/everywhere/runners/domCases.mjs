/** Cases that render, or need the events of a page. */
import { memoryStorage } from 'holdfast/indexeddb';
import { useSuspense } from 'holdfast/react';
import { offline, online, renderDataHook } from 'holdfast/testing';
import assert from 'node:assert/strict';
import { Note, openPage } from './cases.mjs';

export const domCases = {
  async 'a hook renders what a fixture answers'() {
    const { notes } = openPage(memoryStorage());
    const { result, unmount } = renderDataHook(() => useSuspense(notes.get, { id: '1' }), {
      resolverFixtures: [{ endpoint: notes.get, response: { id: '1', text: 'fixture' } }],
    });
    while (result.current === null) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(result.current instanceof Note);
    assert.equal(result.current.text, 'fixture');
    unmount();
  },

  async 'a mutation waits for online()'() {
    const { controller, notes, queue, sent } = openPage(memoryStorage());
    await controller.ready;
    offline();
    const { text } = await controller.fetch(notes.partialUpdate, { id: '1' }, { text: 'later' });
    assert.equal(text, 'later');
    assert.deepEqual(sent, []);
    online();
    while (queue.status.get().pending.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(sent, ['later']);
    await controller.stop();
  },
};
