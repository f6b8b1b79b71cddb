import { beforeEach, describe, expect, it } from '@jest/globals';
import { Device, endpointsOf, freshDatabases, Note, openPage, Server, type Page } from './support.ts';

freshDatabases();

let server: Server;
let device: Device;

beforeEach(() => {
  server = new Server();
  device = new Device();
});

describe('a mutation that is shown again after a reload', () => {
  it('is asked with the time when it was asked for', async () => {
    const { create } = endpointsOf(server);
    const stamped = create.extend({
      getOptimisticResponse: ({ fetchedAt }, body) => ({ ...body, text: String(fetchedAt) }),
    });
    const open = async (): Promise<Page> => {
      const page = await openPage(server, device, { endpoints: [stamped] });
      await page.controller.fetchIfStale(page.notes.getList);
      return page;
    };
    const page = await open();
    device.isOnline = false;
    const asked = device.now;
    await page.controller.fetch(stamped, { text: 'one' });
    expect(page.texts()).toEqual([String(asked)]);
    await page.leave();
    device.pass(86_400_000);
    expect((await open()).texts()).toEqual([String(asked)]);
  });

  it('brings nothing back that was deleted after it was asked for', async () => {
    const open = async (): Promise<Page> => {
      const page = await openPage(server, device);
      await page.controller.fetchIfStale(page.notes.getList);
      return page;
    };
    const page = await open();
    await page.controller.fetch(page.notes.create, { text: 'one' });
    device.isOnline = false;
    await page.controller.fetch(page.notes.partialUpdate, { id: 1 }, { text: 'edited' });
    expect(page.texts()).toEqual(['edited']);
    device.pass(1_000);
    page.controller.setResponse(page.notes.delete, { id: 1 }, { id: 1 });
    expect(page.texts()).toEqual([]);
    await page.controller.flush();
    await page.leave();
    device.pass(1_000);
    const next = await open();
    expect(next.texts()).toEqual([]);
    expect(next.controller.get(Note, { id: 1 })).toBeUndefined();
    expect(next.box.status.get().pending).toHaveLength(1);
  });
});
