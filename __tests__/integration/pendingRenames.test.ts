import { describe, expect, it } from '@jest/globals';
import { device, network, open, reload, sent, server, setUpSlugApp, type Tab } from './slugApp.ts';

setUpSlugApp((at) => {
  at.refusesTaken = true;
  at.add('Fern', { body: 'mine' });
});

/** Opens a page that shows `fern`, and goes offline. Meanwhile, somebody else writes an article `kelp`. */
async function openOffline(): Promise<Tab> {
  const tab = await open();
  await tab.controller.fetch(tab.articles.getList);
  server.add('Kelp', { body: 'theirs' });
  device.isOnline = false;
  return tab;
}

async function rename({ controller, articles }: Tab, slug: string, to: string): Promise<void> {
  await controller.fetch(articles.partialUpdate, { slug }, { slug: to });
}

async function edit({ controller, articles }: Tab, slug: string, body: string): Promise<void> {
  await controller.fetch(articles.partialUpdate, { slug }, { body });
}

async function goOnline(...tabs: readonly Tab[]): Promise<void> {
  device.isOnline = true;
  await sent(...tabs);
}

/** The articles in the list, as shown. */
const shown = ({ slugs, bodies }: Tab) => slugs().map((slug, index) => `${slug}: ${bodies()[index]}`);

/** Requests that change something. */
const changes = () => server.seen.filter((line) => !line.startsWith('GET'));

const stored = () => [...server.articles.values()].map(({ slug, body }) => `${slug}: ${body}`);

describe('an article that was renamed offline, to a slug that the server refuses', () => {
  it.each([
    ['in one page', false],
    ['over a reload', true],
  ])(
    'an edit by the new slug is of the renamed article, which is shown as before: %s',
    async (_, isReloaded) => {
      let tab = await openOffline();
      await rename(tab, 'fern', 'kelp');
      await edit(tab, 'kelp', 'edited');
      if (isReloaded) tab = await reload(tab);
      expect(shown(tab)).toEqual(['kelp: edited']);
      await goOnline(tab);
      expect(changes()).toEqual(['PATCH /articles/fern 422', 'PATCH /articles/fern 200']);
      expect(stored()).toEqual(['kelp: theirs', 'fern: edited']);
      expect(shown(tab)).toEqual(['fern: edited']);
    },
  );

  it('a deletion by the new slug deletes the renamed article', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'kelp');
    await tab.controller.fetch(tab.articles.delete, { slug: 'kelp' });
    expect(shown(tab)).toEqual([]);
    await goOnline(tab);
    expect(stored()).toEqual(['kelp: theirs']);
    expect(shown(tab)).toEqual([]);
  });

  it('a comment by the new slug is sent to the renamed article, with its slug in the body', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'kelp');
    const comment = { text: 'first', article: 'kelp' as never };
    await tab.controller.fetch(tab.comments.create, { slug: 'kelp' }, comment);
    await goOnline(tab);
    expect(changes()).toEqual(['PATCH /articles/fern 422', 'POST /articles/fern/comments 200']);
    expect(server.articles.get('fern')?.comments).toMatchObject([{ text: 'first', article: 'fern' }]);
  });

  it('an edit in another tab is of the renamed article', async () => {
    const first = await openOffline();
    const second = await open();
    await rename(first, 'fern', 'kelp');
    await network.deliver();
    await second.controller.fetchIfStale(second.articles.getList);
    await edit(second, 'kelp', 'edited');
    await network.deliver();
    expect([shown(first), shown(second)]).toEqual([['kelp: edited'], ['kelp: edited']]);
    await goOnline(first, second);
    expect(stored()).toEqual(['kelp: theirs', 'fern: edited']);
    expect([shown(first), shown(second)]).toEqual([['fern: edited'], ['fern: edited']]);
  });

  it('a retry of the rename with another slug comes before an edit that still waits', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'kelp');
    await goOnline(tab);
    device.isOnline = false;
    await edit(tab, 'fern', 'edited');
    tab.box.edit(tab.box.status.get().failed[0]!.key, [{ slug: 'fern' }, { slug: 'moss' }]);
    await goOnline(tab);
    expect(changes().slice(1)).toEqual(['PATCH /articles/fern 200', 'PATCH /articles/moss 200']);
    expect(stored()).toEqual(['kelp: theirs', 'moss: edited']);
    expect(shown(tab)).toEqual(['moss: edited']);
  });
});

describe('an article that was renamed offline', () => {
  it('an edit is shown under the former slug and sent to it after the user has discarded the rename, in all tabs', async () => {
    const [first, second] = [await openOffline(), await open()];
    await rename(first, 'fern', 'moss');
    await edit(first, 'moss', 'edited');
    await network.deliver();
    await second.controller.fetchIfStale(second.articles.getList);
    expect([shown(first), shown(second)]).toEqual([['moss: edited'], ['moss: edited']]);
    second.box.discard(second.box.status.get().pending[0]!.key);
    await network.deliver();
    expect([shown(first), shown(second)]).toEqual([['fern: edited'], ['fern: edited']]);
    await goOnline(first, second);
    expect(changes()).toEqual(['PATCH /articles/fern 200']);
  });

  it('mutations by the new slug are sent to the slug that the server has given it instead', async () => {
    const tab = await openOffline();
    server.refusesTaken = false;
    await rename(tab, 'fern', 'kelp');
    await edit(tab, 'kelp', 'edited');
    await tab.controller.fetch(tab.comments.create, { slug: 'kelp' }, { text: 'first' });
    await goOnline(tab);
    expect(changes().slice(1)).toEqual(['PATCH /articles/kelp-2 200', 'POST /articles/kelp-2/comments 200']);
    expect(shown(tab)).toEqual(['kelp-2: edited']);
  });

  it('mutations of a long queue are sent to the new slug after the rename was answered', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'moss');
    for (let nth = 0; nth < 70; nth++) await edit(tab, 'moss', `edit ${nth}`);
    await goOnline(tab);
    expect(changes().filter((line) => !line.endsWith(' 200'))).toEqual([]);
    expect(shown(tab)).toEqual(['moss: edit 69']);
  });

  it('an article that is renamed back gets its former slug again', async () => {
    let tab = await openOffline();
    await rename(tab, 'fern', 'moss');
    await rename(tab, 'moss', 'fern');
    await edit(tab, 'fern', 'edited');
    expect(shown(tab)).toEqual(['fern: edited']);
    tab = await reload(tab);
    expect(shown(tab)).toEqual(['fern: edited']);
    await goOnline(tab);
    expect(changes()).toEqual([
      'PATCH /articles/fern 200',
      'PATCH /articles/moss 200',
      'PATCH /articles/fern 200',
    ]);
    expect(shown(tab)).toEqual(['fern: edited']);
  });

  it('a form that sends the new slug unchanged renames nothing', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'moss');
    await tab.controller.fetch(
      tab.articles.partialUpdate,
      { slug: 'moss' },
      { slug: 'moss', body: 'edited' },
    );
    expect(shown(tab)).toEqual(['moss: edited']);
    tab.box.discard(tab.box.status.get().pending[0]!.key);
    expect(shown(tab)).toEqual(['fern: edited']);
    await goOnline(tab);
    expect(stored()).toEqual(['kelp: theirs', 'fern: edited']);
  });

  it('the app corrects a queued edit with the slug on screen, and it stays an edit of the same article', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'kelp');
    await edit(tab, 'kelp', 'edited');
    tab.box.edit(tab.box.status.get().pending[1]!.key, [{ slug: 'kelp' }, { body: 'corrected' }]);
    expect(shown(tab)).toEqual(['kelp: corrected']);
    await goOnline(tab);
    expect(stored()).toEqual(['kelp: theirs', 'fern: corrected']);
  });

  it('an article that is created and renamed offline is edited under the slug that the server has given it', async () => {
    const tab = await openOffline();
    const { slug } = await tab.controller.fetch(tab.articles.create, { title: 'Moss', body: 'new' });
    await rename(tab, slug, 'kelp');
    await edit(tab, 'kelp', 'edited');
    expect(shown(tab)).toEqual(['fern: mine', 'kelp: edited']);
    await goOnline(tab);
    expect(changes()).toEqual(['POST /articles 200', 'PATCH /articles/moss 422', 'PATCH /articles/moss 200']);
    expect(shown(tab)).toEqual(['fern: mine', 'moss: edited']);
  });
});

describe('a slug that one article loses offline, and another one gets', () => {
  /** `fern` becomes `moss`, and `kelp` becomes `fern`. */
  async function openReused(): Promise<Tab> {
    server.add('Kelp', { body: 'other' });
    const tab = await open();
    await tab.controller.fetch(tab.articles.getList);
    device.isOnline = false;
    await rename(tab, 'fern', 'moss');
    await rename(tab, 'kelp', 'fern');
    return tab;
  }

  it.each([
    ['in one page', false],
    ['over a reload', true],
  ])('both articles are shown, and each is edited by its new slug: %s', async (_, isReloaded) => {
    let tab = await openReused();
    expect(shown(tab)).toEqual(['moss: mine', 'fern: other']);
    await edit(tab, 'fern', 'other, edited');
    await edit(tab, 'moss', 'mine, edited');
    if (isReloaded) tab = await reload(tab);
    expect(shown(tab)).toEqual(['moss: mine, edited', 'fern: other, edited']);
    await goOnline(tab);
    expect(changes().slice(2)).toEqual(['PATCH /articles/fern 200', 'PATCH /articles/moss 200']);
    expect(stored().sort()).toEqual(['fern: other, edited', 'moss: mine, edited']);
    expect(shown(tab)).toEqual(['moss: mine, edited', 'fern: other, edited']);
  });

  it('a deletion by the slug deletes the article that has it now', async () => {
    const tab = await openReused();
    await tab.controller.fetch(tab.articles.delete, { slug: 'fern' });
    expect(shown(tab)).toEqual(['moss: mine']);
    await goOnline(tab);
    expect(stored()).toEqual(['moss: mine']);
  });

  it('the articles get their former slugs again once the user discards the renames', async () => {
    const tab = await openReused();
    await edit(tab, 'fern', 'other, edited');
    const [first, second] = tab.box.status.get().pending;
    tab.box.discard(second!.key);
    expect(shown(tab)).toEqual(['moss: mine', 'kelp: other, edited']);
    tab.box.discard(first!.key);
    expect(shown(tab)).toEqual(['fern: mine', 'kelp: other, edited']);
    await goOnline(tab);
    expect(changes()).toEqual(['PATCH /articles/kelp 200']);
  });

  it('two articles exchange their slugs', async () => {
    const tab = await openReused();
    await rename(tab, 'moss', 'kelp');
    await edit(tab, 'fern', 'other, edited');
    expect(shown(tab)).toEqual(['kelp: mine', 'fern: other, edited']);
    await goOnline(tab);
    expect(stored().sort()).toEqual(['fern: other, edited', 'kelp: mine']);
    expect(shown(tab)).toEqual(['kelp: mine', 'fern: other, edited']);
  });

  it.each([
    ['in one page', false],
    ['over a reload', true],
  ])(
    'a new article with the slug is shown beside the renamed one, and edited by it: %s',
    async (_, isReloaded) => {
      let tab = await openOffline();
      await rename(tab, 'fern', 'moss');
      await tab.controller.fetch(tab.articles.create, { slug: 'fern', title: 'Fern', body: 'new' });
      expect(shown(tab)).toEqual(['moss: mine', 'fern: new']);
      await edit(tab, 'fern', 'new, edited');
      await edit(tab, 'moss', 'mine, edited');
      if (isReloaded) tab = await reload(tab);
      expect(shown(tab)).toEqual(['moss: mine, edited', 'fern: new, edited']);
      await goOnline(tab);
      expect(changes().slice(2)).toEqual(['PATCH /articles/fern 200', 'PATCH /articles/moss 200']);
      expect(shown(tab)).toEqual(['moss: mine, edited', 'fern: new, edited']);
    },
  );

  it('an edit of a new article with the slug is discarded with its creation', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'moss');
    await tab.controller.fetch(tab.articles.create, { slug: 'fern', title: 'Fern', body: 'new' });
    await edit(tab, 'fern', 'new, edited');
    tab.box.discard(tab.box.status.get().pending[1]!.key);
    expect(shown(tab)).toEqual(['moss: mine']);
    await goOnline(tab);
    expect(changes()).toEqual(['PATCH /articles/fern 200']);
  });

  it('a new article with the slug of a confirmed rename is edited by it', async () => {
    const tab = await openOffline();
    await rename(tab, 'fern', 'moss');
    await goOnline(tab);
    device.isOnline = false;
    await tab.controller.fetch(tab.articles.create, { slug: 'fern', title: 'Fern', body: 'new' });
    await edit(tab, 'fern', 'new, edited');
    expect(shown(tab)).toEqual(['moss: mine', 'fern: new, edited']);
    await goOnline(tab);
    expect(stored()).toContain('fern: new, edited');
    expect(stored()).toContain('moss: mine');
  });
});
