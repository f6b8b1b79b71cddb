/** Test cases without a test runner: each of them runs the same ones. */
import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { mockRequests } from 'holdfast/testing';
import assert from 'node:assert/strict';

export class Note extends Entity {
  id = '';
  text = '';
  static key = 'Note';
}

/** A page: a controller, the notes it shows, and the server that it asks. */
export function openPage(storage, environment) {
  const sent = [];
  const notes = createResource({
    urlPrefix: 'https://example.com',
    path: '/notes/:id',
    schema: Note,
    optimistic: true,
    dataExpiryLength: Infinity,
  });
  const answer = (params, body) => {
    sent.push(body.text);
    return { ...params, ...body };
  };
  const queue = outbox({ endpoints: [notes] });
  const controller = new Controller({
    ...(environment && { environment }),
    plugins: [
      indexedDB({ name: 'app', storage }),
      queue,
      mockRequests([
        { endpoint: notes.get, response: ({ id }) => ({ id, text: 'from the server' }), delay: 1_000 },
        { endpoint: notes.partialUpdate, response: answer },
      ]),
    ],
  });
  return { controller, notes, queue, sent };
}

/** The environment of a controller without a page. */
export const device = (isOnline) => ({ isOnline, isVisible: true, subscribe: () => () => undefined });

/**
 * @param {object} time - the fake timers of the test runner
 * @param {() => void} time.fake
 * @param {(ms: number) => Promise<unknown>} time.pass
 */
export const casesWith = (time) => ({
  async 'a row and a queued mutation are there after a reload'() {
    const storage = memoryStorage();
    const before = openPage(storage, device(false));
    before.controller.setResponse(before.notes.get, { id: '1' }, { id: '1', text: 'old' });
    await before.controller.fetch(before.notes.partialUpdate, { id: '1' }, { text: 'new' });
    await before.controller.stop();

    const after = openPage(storage, device(true));
    await after.controller.restored;
    assert.equal((await after.controller.fetchIfStale(after.notes.get, { id: '1' })).text, 'new');
    assert.equal(await after.queue.drain(), true);
    assert.deepEqual(after.sent, ['new']);
    await after.controller.stop();
  },

  async 'storage, the outbox and a delayed answer follow fake timers'() {
    time.fake();
    const storage = memoryStorage();
    const before = openPage(storage, device(true));
    const reading = before.controller.fetchIfStale(before.notes.get, { id: '1' });
    await time.pass(1_500);
    assert.equal((await reading).text, 'from the server');
    await before.controller.flush();
    await before.controller.stop();

    const after = openPage(storage, device(false));
    await time.pass(100);
    await after.controller.restored;
    assert.equal(after.controller.getResponse(after.notes.get, { id: '1' }).data.text, 'from the server');
    await after.controller.fetch(after.notes.partialUpdate, { id: '1' }, { text: 'offline' });
    assert.equal(after.queue.status.get().pending.length, 1);
    await after.controller.stop();
  },
});
