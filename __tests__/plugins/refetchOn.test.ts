import { describe, expect, it } from '@jest/globals';
import { refetchOn } from 'holdfast';
import { HttpResponse } from 'msw';
import { answer, startServer } from '../support/server.ts';
import { getArticle, getOther, withPlugin } from './withPlugin.ts';
import { until } from '../support/turns.ts';

const server = startServer();

/** One read that is mounted and stale, one that is mounted and fresh, and one that is stale and not mounted. */
async function reads(options: Parameters<typeof refetchOn>[0] = {}) {
  const parts = withPlugin(refetchOn(options));
  const { time, controller } = parts;
  const asked = answer(server, () => HttpResponse.json({ id: '1' }));
  await controller.fetch(getArticle, { id: '1' });
  await controller.fetch(getArticle, { id: '2' });
  time.jump(60_000);
  await controller.fetch(getOther, { id: '3' });
  controller.watch(getArticle, { id: '1' }, () => undefined);
  controller.watch(getArticle, { id: '1' }, () => undefined);
  controller.watch(getOther, { id: '3' }, () => undefined);
  asked.splice(0);
  const urls = () => asked.map(({ url }) => new URL(url).pathname);
  return { ...parts, urls };
}

const refreshed = ['/article/1'];

describe('refetchOn', () => {
  it('refetchOn fetches mounted stale data once when the network is back', async () => {
    const { environment, controller, urls } = await reads();
    environment.change({ isOnline: false });
    environment.change({ isOnline: true });
    await until(() => controller.mountedReads().every(({ isStale }) => !isStale));
    expect(urls()).toEqual(refreshed);
  });

  it('refetchOn fetches mounted stale data when the page becomes visible', async () => {
    const { environment, controller, urls } = await reads();
    environment.change({ isVisible: false });
    environment.change({ isVisible: true });
    await until(() => controller.mountedReads().every(({ isStale }) => !isStale));
    expect(urls()).toEqual(refreshed);
  });

  it('refetchOn fetches once when both events coincide', async () => {
    const { environment, controller, urls } = await reads();
    environment.change({ isOnline: false, isVisible: false });
    environment.change({ isVisible: true });
    environment.change({ isOnline: true });
    environment.change({ isVisible: false });
    environment.change({ isVisible: true });
    await until(() => controller.mountedReads().every(({ isStale }) => !isStale));
    expect(urls()).toEqual(refreshed);
  });

  it('refetchOn waits for the network before it fetches for a visible page', async () => {
    const { environment, controller, urls } = await reads();
    environment.change({ isOnline: false, isVisible: false });
    environment.change({ isVisible: true });
    await controller.fetch(getOther, { id: '4' });
    expect(urls()).toEqual(['/other/4']);
  });

  it('refetchOn ignores events that are disabled, or come after the controller has stopped', async () => {
    for (const options of [{ reconnect: false }, { focus: false }]) {
      const { environment, controller, urls } = await reads(options);
      if ('focus' in options) environment.change({ isVisible: false });
      else environment.change({ isOnline: false });
      environment.change({ isOnline: true, isVisible: true });
      await controller.fetch(getOther, { id: '4' });
      expect(urls()).toEqual(['/other/4']);
    }
    const { environment, controller } = await reads();
    await controller.stop();
    expect(environment.listeners).toBe(0);
  });

  it('refetchOn retries reads that failed for lack of a network, although the error is recent', async () => {
    const { environment, controller } = await reads();
    answer(server, () => HttpResponse.error());
    environment.change({ isOnline: false });
    await expect(controller.fetch(getArticle, { id: '1' })).rejects.toMatchObject({ status: 0 });
    const asked = answer(server, () => HttpResponse.json({ id: '1' }));
    environment.change({ isOnline: true });
    await until(() => controller.getError(getArticle, { id: '1' }) === undefined);
    expect(asked).toHaveLength(1);
  });
});
