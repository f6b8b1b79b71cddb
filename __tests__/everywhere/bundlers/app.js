import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { DataProvider, useSuspense } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';
import { MockResolver, mockRequests } from 'holdfast/testing';

class Article extends Entity {
  id = 0;
  title = '';

  static key = 'Article';
}
const ArticleResource = createResource({ path: '/articles/:id', schema: Article });
const fixture = { endpoint: ArticleResource.get, response: ({ id }) => ({ id, title: `Article ${id}` }) };
const controller = new Controller({ plugins: [mockRequests([fixture])] });

globalThis.used = { DataProvider, useSuspense, MockResolver, indexedDB, outbox, tabs };
globalThis.result = controller.fetch(ArticleResource.get, { id: 5 }).then(async ({ title }) => {
  const error = await controller.fetch(ArticleResource.getList).then(String, String);
  return { title, error, code: codeOf(() => ArticleResource.get.push) };
});

function codeOf(run) {
  try {
    run();
  } catch ({ code, message }) {
    return { code, message };
  }
}
