import { expect, it } from '@jest/globals';
import { NetworkError } from 'holdfast';
import { Device, freshDatabases, openPage } from '../../support/outbox.ts';
import { until } from '../../support/turns.ts';

freshDatabases();

/** A server that takes the pk of a note from the body, as one of favorites does, and fails to create while it is down. */
class OwnPks {
  readonly notes = new Map([['n', { id: 'n', text: 'old' }]]);
  isDown = true;

  readonly respond = async (url: string, { method = 'GET', body }: RequestInit): Promise<Response> => {
    await Promise.resolve();
    if (method === 'GET') return Response.json([...this.notes.values()]);
    if (method === 'DELETE') {
      this.notes.delete('n');
      return new Response(null, { status: 204 });
    }
    if (this.isDown) throw new NetworkError('Down', { status: 503, url, method });
    const note = JSON.parse(body as string) as { id: string; text: string };
    this.notes.set(note.id, note);
    return Response.json(note);
  };
}

it.each(['create', 'getList.push'] as const)(
  'an item that is deleted and added again by %s with the same pk stays visible until the server has created it',
  async (how) => {
    const server = new OwnPks();
    const device = new Device();
    const page = await openPage(server, device);
    await page.controller.fetch(page.notes.getList);
    device.isOnline = false;
    device.pass(1_000);
    await page.controller.fetch(page.notes.delete, { id: 'n' });
    device.pass(1_000);
    const add = how === 'create' ? page.notes.create : page.notes.getList.push;
    await page.controller.fetch(add, { id: 'n', text: 'new' });
    expect(page.texts()).toEqual(['new']);

    device.pass(1_000);
    device.isOnline = true;
    await until(() => page.box.status.get().pending[0]?.status === 'retrying');
    expect(server.notes.size).toBe(0);
    expect(page.texts()).toEqual(['new']);

    await page.leave();
    const next = await openPage(server, device);
    await next.controller.fetchIfStale(next.notes.getList);
    expect(next.texts()).toEqual(['new']);

    server.isDown = false;
    await until(() => (device.pass(1_000), next.box.status.get().pending.length === 0));
    expect(next.texts()).toEqual(['new']);
  },
);
