import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type HoldfastError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { endpointsOf } from './SlugServer.ts';
import { device, errors, network, open, reload, sent, server, setUpSlugApp } from './slugApp.ts';

setUpSlugApp((at) => at.add('One', { body: 'text' }));

afterEach(() => {
  expect(server.seen.filter((line) => line.includes('optimistic-'))).toEqual([]);
});

const requests = (method: string) => server.seen.filter((line) => line.startsWith(method));

describe('the comments of an article that is created offline', () => {
  it.each([
    ['in one page', false, false],
    ['over a reload before they are sent', true, false],
    ['over a reload afterwards', false, true],
    ['over both', true, true],
  ])(
    'comments are listed under the temporary slug, and then under the one of the server: %s',
    async (_, before, after) => {
      let tab = await open();
      device.isOnline = false;
      server.isDown = true;
      const { slug } = await tab.controller.fetch(tab.articles.create, { title: 'Three' });
      expect(await tab.controller.fetchIfStale(tab.comments.getList, { slug })).toEqual([]);
      const seen: (readonly string[] | undefined)[] = [];
      tab.controller.watch(tab.comments.getList, { slug }, (list) =>
        seen.push(list?.map(({ text }) => text)),
      );
      await tab.controller.fetch(tab.comments.create, { slug }, { text: 'first' });
      expect(seen.at(-1)).toEqual(['first']);
      if (before) {
        tab = await reload(tab);
        await tab.controller.fetchIfStale(tab.comments.getList, { slug });
      }
      await tab.controller.fetch(tab.comments.create, { slug }, { text: 'second' });
      expect(tab.texts(slug)).toEqual(['first', 'second']);
      device.isOnline = true;
      server.isDown = false;
      await sent(tab);
      expect(requests('POST')).toEqual([
        'POST /articles 200',
        'POST /articles/three/comments 200',
        'POST /articles/three/comments 200',
      ]);
      if (!before) expect(seen.at(-1)).toEqual(['first', 'second']);
      expect(tab.texts(slug)).toEqual(['first', 'second']);
      expect(tab.texts('three')).toEqual(['first', 'second']);
      server.isDown = true;
      device.isOnline = false;
      if (after) tab = await reload(tab);
      for (const each of ['three', slug])
        expect(
          (await tab.controller.fetchIfStale(tab.comments.getList, { slug: each })).map(({ text }) => text),
        ).toEqual(['first', 'second']);
      await tab.controller.fetch(tab.comments.create, { slug: 'three' }, { text: 'third' });
      expect(tab.texts('three')).toEqual(['first', 'second', 'third']);
      expect(requests('GET')).toEqual([]);
    },
  );

  it('comments follow their article through its create and a rename where all paths end with a slash', async () => {
    server.hasSlashes = true;
    const tab = await open();
    device.isOnline = false;
    server.isDown = true;
    const { slug } = await tab.controller.fetch(tab.articles.create, { title: 'Three' });
    expect(slug).toMatch(/^optimistic-/);
    expect(await tab.controller.fetchIfStale(tab.comments.getList, { slug })).toEqual([]);
    await tab.controller.fetch(tab.comments.create, { slug }, { text: 'first' });
    await tab.controller.fetch(tab.articles.partialUpdate, { slug }, { title: 'Four' });
    await tab.controller.fetch(tab.comments.create, { slug }, { text: 'second' });
    device.isOnline = true;
    server.isDown = false;
    await sent(tab);
    expect(requests('P')).toEqual([
      'POST /articles 200',
      'POST /articles/three/comments 200',
      'PATCH /articles/three 200',
      'POST /articles/four/comments 200',
    ]);
    for (const each of [slug, 'three', 'four']) expect(tab.texts(each)).toEqual(['first', 'second']);
    expect(requests('GET')).toEqual([]);
  });

  it('comments of an article created offline are listed in a second tab, too', async () => {
    const [first, second] = [await open(), await open()];
    device.isOnline = false;
    const { slug } = await first.controller.fetch(first.articles.create, { title: 'Three' });
    await network.deliver();
    for (const { controller, comments } of [first, second])
      expect(await controller.fetchIfStale(comments.getList, { slug })).toEqual([]);
    await network.deliver();
    await first.controller.fetch(first.comments.create, { slug }, { text: 'first' });
    await network.deliver();
    await second.controller.fetch(second.comments.create, { slug }, { text: 'second' });
    await network.deliver();
    for (const tab of [first, second]) expect(tab.texts(slug)).toEqual(['first', 'second']);
    device.isOnline = true;
    await sent(first, second);
    for (const tab of [first, second])
      for (const each of ['three', slug]) expect(tab.texts(each)).toEqual(['first', 'second']);
  });

  it('comments are removed with the article when it is discarded, and are never requested', async () => {
    const tab = await open();
    device.isOnline = false;
    const { slug } = await tab.controller.fetch(tab.articles.create, { title: 'Three' });
    await tab.controller.fetchIfStale(tab.comments.getList, { slug });
    await tab.controller.fetch(tab.comments.create, { slug }, { text: 'first' });
    const [{ key } = { key: '' }] = tab.box.status.get().entries;
    tab.box.discard(key);
    expect(tab.texts(slug)).toEqual([]);
    device.isOnline = true;
    await tab.controller.fetch(tab.comments.getList, { slug });
    await expect(tab.controller.fetch(tab.articles.get, { slug })).rejects.toMatchObject({ status: 404 });
    expect(server.seen).toEqual([]);
  });
});

describe('the comments of an article whose slug changes', () => {
  it('comments stay on screen under the old slug, and are found under the new one, without a request', async () => {
    const tab = await open();
    await tab.controller.fetch(tab.comments.create, { slug: 'one' }, { text: 'first' });
    await tab.controller.fetch(tab.comments.getList, { slug: 'one' });
    const seen: (readonly string[] | undefined)[] = [];
    tab.controller.watch(tab.comments.getList, { slug: 'one' }, (list) =>
      seen.push(list?.map(({ text }) => text)),
    );
    const asked = requests('GET').length;
    await tab.controller.fetch(tab.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    expect(tab.texts('uno')).toEqual(['first']);
    expect(tab.texts('one')).toEqual(['first']);
    await tab.controller.fetch(tab.comments.create, { slug: 'one' }, { text: 'second' });
    await tab.controller.fetch(tab.comments.create, { slug: 'uno' }, { text: 'third' });
    expect(tab.texts('uno')).toEqual(['first', 'second', 'third']);
    expect(seen.at(-1)).toEqual(['first', 'second', 'third']);
    expect(requests('GET')).toHaveLength(asked);
    await tab.controller.fetch(tab.comments.getList, { slug: 'one' });
    expect(requests('GET').at(-1)).toBe('GET /articles/uno/comments 200');
    expect(tab.texts('uno')).toEqual(['first', 'second', 'third']);
    server.isDown = true;
    const next = await reload(tab);
    for (const slug of ['uno', 'one'])
      expect(
        (await next.controller.fetchIfStale(next.comments.getList, { slug })).map(({ text }) => text),
      ).toEqual(['first', 'second', 'third']);
  });

  it('comments only on disk are found under the new slug', async () => {
    const first = await open();
    await first.controller.fetch(first.comments.create, { slug: 'one' }, { text: 'first' });
    await first.controller.fetch(first.comments.getList, { slug: 'one' });
    await first.controller.flush();
    await first.controller.stop();
    const onError = (error: HoldfastError): void => void errors.push(error);
    const { articles } = endpointsOf(server);
    // Restores nothing in advance.
    const second = new Controller({
      now: () => device.now,
      schedule: device.schedule,
      environment: device,
      plugins: [indexedDB({ name: 'app', restore: 'lazy', onError })],
    });
    await second.ready;
    await second.fetch(articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await second.flush();
    await second.stop();
    server.isDown = true;
    const third = await open();
    expect(
      (await third.controller.fetchIfStale(third.comments.getList, { slug: 'uno' })).map(({ text }) => text),
    ).toEqual(['first']);
  });

  it.each(['create', 'delete'] as const)(
    'comments only on disk are changed under the new slug: %s',
    async (change) => {
      const first = await open();
      const { id } = await first.controller.fetch(first.comments.create, { slug: 'one' }, { text: 'first' });
      await first.controller.fetch(first.comments.create, { slug: 'one' }, { text: 'second' });
      await first.controller.fetch(first.comments.getList, { slug: 'one' });
      await first.controller.flush();
      await first.controller.stop();
      const onError = (error: HoldfastError): void => void errors.push(error);
      const { articles, comments } = endpointsOf(server);
      // Restores nothing in advance.
      const second = new Controller({
        now: () => device.now,
        schedule: device.schedule,
        environment: device,
        plugins: [indexedDB({ name: 'app', restore: 'lazy', onError })],
      });
      await second.ready;
      await second.fetch(articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
      if (change === 'create') await second.fetch(comments.create, { slug: 'uno' }, { text: 'third' });
      else second.set(comments.getList.schema.remove, { slug: 'uno' }, { id });
      await second.flush();
      await second.stop();
      server.isDown = true;
      const third = await open();
      expect(
        (await third.controller.fetchIfStale(third.comments.getList, { slug: 'uno' })).map(
          ({ text }) => text,
        ),
      ).toEqual(change === 'create' ? ['first', 'second', 'third'] : ['second']);
    },
  );

  it('comments are found under the new slug in another tab', async () => {
    const [first, second] = [await open(), await open()];
    await second.controller.fetch(second.comments.create, { slug: 'one' }, { text: 'first' });
    await second.controller.fetch(second.comments.getList, { slug: 'one' });
    device.now += 10;
    await first.controller.fetch(first.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await network.deliver();
    expect(second.texts('uno')).toEqual(['first']);
    await first.controller.fetch(first.comments.create, { slug: 'uno' }, { text: 'second' });
    await network.deliver();
    for (const slug of ['uno', 'one']) expect(second.texts(slug)).toEqual(['first', 'second']);
  });

  it('comments follow a slug that changes back to an earlier one', async () => {
    const tab = await open();
    await tab.controller.fetch(tab.comments.create, { slug: 'one' }, { text: 'first' });
    await tab.controller.fetch(tab.comments.getList, { slug: 'one' });
    await tab.controller.fetch(tab.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await tab.controller.fetch(tab.articles.partialUpdate, { slug: 'uno' }, { title: 'One' });
    for (const slug of ['uno', 'one']) expect(tab.texts(slug)).toEqual(['first']);
    server.isDown = true;
    const next = await reload(tab);
    expect(
      (await next.controller.fetchIfStale(next.comments.getList, { slug: 'one' })).map(({ text }) => text),
    ).toEqual(['first']);
  });

  it('comments do not move to another article that gets the old slug', async () => {
    const tab = await open();
    await tab.controller.fetch(tab.comments.create, { slug: 'one' }, { text: 'first' });
    await tab.controller.fetch(tab.comments.getList, { slug: 'one' });
    await tab.controller.fetch(tab.articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    await tab.controller.fetch(tab.articles.create, { title: 'One' });
    expect(await tab.controller.fetchIfStale(tab.comments.getList, { slug: 'one' })).toEqual([]);
    expect(tab.texts('uno')).toEqual(['first']);
    await tab.controller.fetch(tab.comments.create, { slug: 'one' }, { text: 'other' });
    expect(tab.texts('one')).toEqual(['other']);
    expect(tab.texts('uno')).toEqual(['first']);
    server.isDown = true;
    const next = await reload(tab);
    for (const [slug, text] of [
      ['uno', 'first'],
      ['one', 'other'],
    ] as const)
      expect(await next.controller.fetchIfStale(next.comments.getList, { slug })).toMatchObject([{ text }]);
  });
});
