import { beforeEach, describe, expect, it } from '@jest/globals';
import { Collection, Controller, Endpoint, Entity, NetworkError, Union, type Schema } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox, type OutboxPlugin } from 'holdfast/outbox';
import { DeviceLocks } from '../outbox/MortalPage.ts';
import { OutboxPluginImpl } from '../../plugins/outbox/outbox.ts';
import { freshIndexedDB, openApp, requests } from '../support/indexedDB.ts';
import { Device } from '../support/outbox.ts';

// An update of the app changes its model; the data of the earlier version is on the device.

freshIndexedDB();

/** One version of an endpoint: the response is from the time when the earlier version asked. */
function version<const S extends Schema & {}>(schema: S, response: unknown) {
  const ask = async (): Promise<unknown> => {
    requests.push('getAll');
    return response;
  };
  return new Endpoint(ask, { name: 'getAll', schema, dataExpiryLength: Infinity });
}

it('rows with a list of pks are shown after the list has become a Collection', async () => {
  class Comment extends Entity {
    id = '';
    text = '';
    static override key = 'Comment';
  }
  class OldArticle extends Entity {
    id = '';
    comments: Comment[] = [];
    static override key = 'Article';
    static override schema = { comments: [Comment] };
  }
  class Article extends Entity {
    id = '';
    comments: Comment[] = [];
    static override key = 'Article';
    static override schema = {
      comments: new Collection([Comment], { nestKey: ({ id }) => ({ article: id }) }),
    };
  }
  const earlier = await openApp();
  const response = [{ id: '1', comments: [{ id: 'c', text: 'Kelp' }] }];
  await earlier.controller.fetch(version([OldArticle], response));
  await earlier.leave();

  const { controller } = await openApp();
  const getAll = version([Article], undefined);
  await controller.fetchIfStale(getAll);
  const [article] = controller.getResponse(getAll).data ?? [];
  expect(article?.comments.map(({ text }) => text)).toEqual(['Kelp']);
  const { push } = Article.schema.comments;
  controller.set(push, { article: '1' }, { id: 'd', text: 'Moss' });
  expect(controller.get(Article, { id: '1' })?.comments.map(({ text }) => text)).toEqual(['Kelp', 'Moss']);
  expect(requests).toHaveLength(1);
});

it('entities whose relation is to a renamed table are fetched again if `migrate` returns nothing for them', async () => {
  class Comment extends Entity {
    id = '';
    static override key = 'Comment';
  }
  class Remark extends Entity {
    id = '';
    static override key = 'Remark';
  }
  class OldArticle extends Entity {
    id = '';
    comments: Comment[] = [];
    static override key = 'Article';
    static override schema = { comments: [Comment] };
  }
  class Article extends Entity {
    id = '';
    comments: Remark[] = [];
    static override key = 'Article';
    static override schema = { comments: [Remark] };
  }
  const response = [{ id: '1', comments: [{ id: 'c' }] }];
  const earlier = await openApp();
  await earlier.controller.fetch(version([OldArticle], response));
  await earlier.leave();

  const { controller } = await openApp({ version: 1, migrate: { Article: () => undefined } });
  const getAll = version([Article], response);
  await controller.fetchIfStale(getAll);
  await controller.flush();
  const [article] = controller.getResponse(getAll).data ?? [];
  expect(article?.comments.map(({ id }) => id)).toEqual(['c']);
  expect(requests).toHaveLength(2);
});

it('a list of a Union is shown after a type was added or removed, without the members of a type that is unknown', async () => {
  class Post extends Entity {
    id = '';
    type = 'post';
    static override key = 'Post';
  }
  class Video extends Entity {
    id = '';
    type = 'video';
    static override key = 'Video';
  }
  const response = [
    { id: '1', type: 'post' },
    { id: '1', type: 'video' },
  ];
  const both = [new Union({ post: Post, video: Video }, 'type')];
  const earlier = await openApp();
  await earlier.controller.fetch(version(both, response));
  await earlier.leave();

  const without = await openApp();
  const posts = await without.controller.fetchIfStale(
    version([new Union({ post: Post }, 'type')], undefined),
  );
  expect(posts.map(({ type }) => type)).toEqual(['post']);
  await without.leave();

  const { controller } = await openApp();
  const all = await controller.fetchIfStale(version(both, undefined));
  expect(all.map(({ type }) => type)).toEqual(['post', 'video']);
  expect(requests).toHaveLength(1);
});

it('a service worker of the earlier version does not take the mutations of the later one for sent', async () => {
  let isDown = true;
  const save = new Endpoint(
    async (body: { text: string }) => {
      if (isDown) throw new NetworkError('No connection', { status: 0, url: '/save', method: 'POST' });
      return body;
    },
    { name: 'save', sideEffect: true },
  );
  const open = async (version: number): Promise<[Controller, OutboxPlugin]> => {
    const box = outbox({ endpoints: [save], onError: () => undefined });
    const disk = indexedDB({ name: 'app', version, onError: () => undefined });
    const controller = new Controller({ plugins: [disk, box] });
    await controller.ready;
    return [controller, box];
  };
  const [page] = await open(2);
  await page.fetch(save, { text: 'Kelp' });
  await page.stop();

  isDown = false;
  const [worker, box] = await open(1);
  // So that the browser fires the event of Background Sync again, when the later worker is active.
  expect(await box.drain()).toBe(false);
  await worker.stop();

  const [later, laterBox] = await open(2);
  expect(laterBox.status.get().pending).toHaveLength(1);
  expect(await laterBox.drain()).toBe(true);
  await later.stop();
});

describe('a device on which the versions 1 and 2 of an app are open', () => {
  const sent: string[] = [];
  const device = new Device();
  const locks = new DeviceLocks();
  beforeEach(() => {
    sent.length = 0;
    device.isOnline = false;
  });

  async function open(version: number) {
    const send = async (body: { text: string }): Promise<unknown> => {
      sent.push(`${body.text} by version ${version}`);
      return body;
    };
    const save = new Endpoint(send, { name: 'save', sideEffect: true });
    const box = new OutboxPluginImpl({ endpoints: [save], onError: () => undefined }, { locks });
    const disk = indexedDB({ name: 'app', version, onError: () => undefined });
    const controller = new Controller({ plugins: [disk, box], environment: device });
    await controller.ready;
    return { controller, box, queue: (text: string) => controller.fetch(save, { text }) };
  }

  it('a tab of the earlier version does not send what the later one has queued in the meantime', async () => {
    const earlier = await open(1);
    await earlier.queue('Kelp');
    const later = await open(2);
    await later.queue('Moss');

    device.isOnline = true;
    await earlier.box.drain();
    expect(earlier.box.status.get().entries).toEqual([]);
    await later.box.drain();
    expect(sent).toEqual(['Kelp by version 2', 'Moss by version 2']);
    await Promise.all([earlier.controller.stop(), later.controller.stop()]);
  });

  it('the earlier version does not send what the later one has queued, although it has logged out and kept that', async () => {
    const earlier = await open(1);
    const later = await open(2);
    await later.queue('Moss');
    await later.controller.stop();
    await earlier.controller.reset({ unsent: 'keep' });
    await earlier.controller.stop();

    device.isOnline = true;
    const again = await open(1);
    await again.box.resume();
    expect(sent).toEqual([]);
    await again.controller.stop();
    const updated = await open(2);
    await updated.box.drain();
    expect(sent).toEqual(['Moss by version 2']);
    await updated.controller.stop();
  });
});
