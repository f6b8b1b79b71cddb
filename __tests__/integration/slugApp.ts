import { afterEach, beforeEach, expect } from '@jest/globals';
import { Controller, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';
import { freshIndexedDB } from '../support/indexedDB.ts';
import { Device } from '../support/outbox.ts';
import { turn } from '../support/turns.ts';
import { Network } from '../tabs/network.ts';
import { endpointsOf, slugs, SlugServer, type Endpoints } from './SlugServer.ts';

/** A tab of the app. */
export interface Tab extends Endpoints {
  readonly controller: Controller;
  readonly box: OutboxPlugin;
  /** The slugs in the list of articles, as shown. */
  slugs(): readonly string[];
  /** The bodies in the list of articles, as shown. */
  bodies(): readonly string[];
  /** The texts of the comments that a read with this slug shows; undefined if it shows nothing. */
  texts(slug: string): readonly string[] | undefined;
}

/** The channel between the tabs of the current test. */
export let network: Network;
export let server: SlugServer;
export let device: Device;
export let errors: HoldfastError[];
let opened: Tab[];

/** Gives each test of a file its own server, disk and network, and stops its tabs at the end. */
export function setUpSlugApp(fill: (server: SlugServer) => void): void {
  freshIndexedDB();
  beforeEach(() => {
    network = new Network();
    network.install();
    server = new SlugServer();
    device = new Device();
    errors = [];
    opened = [];
    fill(server);
  });
  afterEach(async () => {
    await Promise.all(opened.map(({ controller }) => controller.stop()));
    network.restore();
    expect(errors).toEqual([]);
  });
}

export async function open({ hasDisk = true } = {}): Promise<Tab> {
  device.now += 1;
  const onError = (error: HoldfastError): void => void errors.push(error);
  const endpoints = endpointsOf(server);
  const box = outbox({ endpoints: [endpoints.articles, endpoints.comments], random: () => 0.5, onError });
  const controller = new Controller({
    now: () => device.now,
    environment: device,
    schedule: device.schedule,
    plugins: [...(hasDisk ? [indexedDB({ name: 'app', onError })] : []), box, tabs({ name: 'app', onError })],
  });
  const { articles, comments } = endpoints;
  const tab: Tab = {
    ...endpoints,
    controller,
    box,
    slugs: () => slugs(controller, endpoints),
    bodies: () => (controller.getResponse(articles.getList).data ?? []).map(({ body }) => body),
    texts: (slug) => controller.getResponse(comments.getList, { slug }).data?.map(({ text }) => text),
  };
  opened.push(tab);
  await controller.restored;
  await network.deliver();
  return tab;
}

export async function reload({ controller }: Tab): Promise<Tab> {
  await controller.flush();
  await controller.stop();
  return open();
}

/** Waits until every queued mutation was sent or rejected, and every tab knows. */
export async function sent(...of: readonly Tab[]): Promise<void> {
  const isWaiting = () =>
    of.some(({ box }) => box.status.get().entries.some(({ status }) => status !== 'failed'));
  do {
    for (let turns = 0; turns < 300 && isWaiting(); turns++) await turn();
    await network.deliver();
  } while (isWaiting());
}
