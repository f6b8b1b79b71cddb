import { expect, it } from '@jest/globals';
import { Endpoint, type Snapshot } from 'holdfast';
import { Device, endpointsOf, freshDatabases, Note, openPage, Server } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

it('isPending is true for each row that a queued mutation changes, also for rows that arrive later, until the response', async () => {
  const server = new Server();
  const device = new Device();
  const notes = endpointsOf(server);
  const shout = new Endpoint(() => Promise.resolve([{ id: 1, text: 'ONE' }]), {
    name: 'shout',
    sideEffect: true,
    schema: [Note],
    getOptimisticResponse: (snapshot: Snapshot) =>
      (snapshot.getResponse(notes.getList).data ?? []).map(({ id, text }) => ({
        id,
        text: text.toUpperCase(),
      })),
  });
  const { controller, box } = await openPage(server, device, { endpoints: [notes, shout] });
  const isPending = (id: number): boolean | undefined => {
    const note = controller.get(Note, { id });
    return note && box.isPending(note);
  };
  controller.setResponse(notes.get, { id: 2 }, { id: 2, text: 'two' });
  device.isOnline = false;
  await controller.fetch(shout);
  expect([isPending(1), isPending(2)]).toEqual([undefined, false]);
  controller.setResponse(notes.getList, [{ id: 1, text: 'one' }]);
  expect(controller.get(Note, { id: 1 })?.text).toBe('ONE');
  expect([isPending(1), isPending(2)]).toEqual([true, false]);

  await controller.fetch(notes.partialUpdate, { id: 1 }, { text: 'edited' });
  const [shouted, edited] = box.status.get().pending;
  box.discard(shouted!.key);
  expect(isPending(1)).toBe(true);
  box.discard(edited!.key);
  expect(isPending(1)).toBe(false);
  await controller.fetch(shout);
  expect(isPending(1)).toBe(true);
  device.isOnline = true;
  await until(() => box.status.get().pending.length === 0);
  expect(isPending(1)).toBe(false);
});
