import { describe, expect, it } from '@jest/globals';
import {
  Collection,
  Controller,
  createResource,
  Entity,
  RestEndpoint,
  type RestEndpointOptions,
} from 'holdfast';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';

class Visit extends Entity {
  id = '';
  date = '';
  static override key = 'Visit';
}
const visits = new Collection([Visit], {
  nestKey: ({ id }) => ({ siteId: id }),
  argsKey: ({ siteId }) => ({ siteId }),
});
class Site extends Entity {
  id = '';
  name = '';
  visits: readonly Visit[] = [];
  static override key = 'Site';
  static override schema = { visits };
}

/** An app for sites and visits below them. The server's sites do not contain their visits. */
function open(isSent: boolean) {
  const device = { isOnline: true, isVisible: true, subscribe: () => () => undefined };
  let ids = 0;
  class Server<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override async fetchResponse(_url: string, { method, body }: RequestInit): Promise<Response> {
      if (method === 'GET') return Promise.resolve(Response.json([]));
      const { visits: _visits, ...stored } = JSON.parse(body as string) as Partial<Site>;
      return Promise.resolve(Response.json({ ...stored, id: String((ids += 1)) }));
    }
  }
  const options = { urlPrefix: 'https://example.com', Endpoint: Server, optimistic: true };
  const sites = createResource({ ...options, path: '/sites/:id', schema: Site }).extend((base) => ({
    create: isSent
      ? base.create
      : base.create.extend({ getOptimisticResponse: (_snapshot, body) => ({ ...body, visits: [] }) }),
  }));
  const visitsOf = createResource({ ...options, path: '/sites/:siteId/visits/:id', schema: Visit }).extend(
    (base) => ({ create: base.create.extend({ schema: visits.push }) }),
  );
  const storage = memoryStorage();
  const openPage = () => {
    const box = outbox({ endpoints: [sites, visitsOf] });
    const plugins = [indexedDB({ name: 'sites', persist: 'all', storage }), box];
    return { box, controller: new Controller({ environment: device, plugins }) };
  };
  return { device, sites, visitsOf, openPage };
}

const shown = (controller: Controller, list: ReturnType<typeof open>['sites']['getList']) =>
  controller.getResponse(list).data?.map((site) => [site.name, site.visits.map(({ date }) => date)]);

describe('a nested list of an entity that was created offline', () => {
  it.each([
    ['body', true],
    ['prediction', false],
  ])(
    'keeps its members when a response without the list arrives, if it was empty in the %s',
    async (_where, isSent) => {
      const { device, sites, visitsOf, openPage } = open(isSent);
      const first = openPage().controller;
      await first.fetch(sites.getList);
      device.isOnline = false;
      const site = await first.fetch(sites.create, { name: 'Mill', ...(isSent && { visits: [] }) });
      await first.fetch(visitsOf.create, { siteId: site.id }, { date: '1 May' });
      expect(shown(first, sites.getList)).toEqual([['Mill', ['1 May']]]);
      await first.stop();

      const { box, controller } = openPage();
      await controller.restored;
      expect(shown(controller, sites.getList)).toEqual([['Mill', ['1 May']]]);
      const seen = new Set<string>();
      controller.watch(sites.getList, () => seen.add(JSON.stringify(shown(controller, sites.getList))));
      device.isOnline = true;
      expect(await box.drain()).toBe(true);
      expect(shown(controller, sites.getList)).toEqual([['Mill', ['1 May']]]);
      expect([...seen].filter((text) => text !== '[["Mill",["1 May"]]]')).toEqual([]);
      await controller.fetch(visitsOf.create, { siteId: '1' }, { date: '2 May' });
      expect(shown(controller, sites.getList)).toEqual([['Mill', ['1 May', '2 May']]]);
      await controller.stop();

      const last = openPage().controller;
      await last.restored;
      expect(shown(last, sites.getList)).toEqual([['Mill', ['1 May', '2 May']]]);
      await last.stop();
    },
  );
});
