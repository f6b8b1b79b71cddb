import { expect, it } from '@jest/globals';
import { Controller, createResource, Entity } from 'holdfast';
import { outbox } from 'holdfast/outbox';
import { Device, freshDatabases } from '../../support/outbox.ts';

freshDatabases();

class Visit extends Entity {
  room = '';
  start = new Date(0);
  text = '';
  static override key = 'Visit';
  static override schema = { start: Date };

  override pk() {
    return `${this.room} ${new Date(this.start).toISOString()}`;
  }
}
const VisitResource = createResource({
  urlPrefix: 'https://example.com',
  path: '/rooms/:room/visits/:start',
  schema: Visit,
  optimistic: true,
});

it('an edit of an entity that was moved offline to another date is shown', async () => {
  const device = new Device();
  device.isOnline = false;
  const controller = new Controller({
    environment: device,
    plugins: [outbox({ endpoints: [VisitResource] })],
  });
  const [from, to] = ['2026-03-05T09:00:00.000Z', '2026-03-06T09:00:00.000Z'] as const;
  const start = new Date(to);
  const visit = { room: 'a', start: from, text: 'one' };
  controller.setResponse(VisitResource.get, { room: 'a', start: from }, visit);
  await controller.fetch(VisitResource.partialUpdate, { room: 'a', start: from }, { start });
  await controller.fetch(VisitResource.partialUpdate, { room: 'a', start: to }, { text: 'two' });
  expect(controller.get(Visit, { room: 'a', start })?.text).toBe('two');
  await controller.stop();
});
