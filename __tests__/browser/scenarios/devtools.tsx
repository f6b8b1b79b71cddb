import { Controller, createResource, Entity } from 'holdfast';
import { devtools, Inspector } from 'holdfast/devtools';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { DataProvider, useDLE } from 'holdfast/react';
import { createRoot } from 'react-dom/client';
import { Author } from '../../support/entities.ts';

class ArticleWithReadMark extends Entity {
  id = '';
  title = '';
  isRead = false;
  author: Author | undefined = undefined;
  static override key = 'Article';
  static override schema = { author: Author };
}

const ArticleResource = createResource({
  path: '/api/articles/:id',
  schema: ArticleWithReadMark,
  dataExpiryLength: 30_000,
});
const getAuthors = createResource({
  path: '/api/authors/:id',
  schema: Author,
  dataExpiryLength: Infinity,
}).getList;

const tools = devtools({ name: 'Newsroom' });
const controller = new Controller({
  plugins: [
    indexedDB({ name: `devtools${location.search}`, persist: 'all' }),
    outbox({ endpoints: [ArticleResource] }),
    tools,
  ],
});

/** What the test asks of the page. */
export interface DevtoolsWindow {
  readonly controller: Controller;
  readonly endpoints: typeof ArticleResource;
  /** Stores articles without asking for them. */
  readonly fill: (count: number) => void;
}

const page: DevtoolsWindow = {
  controller,
  endpoints: ArticleResource,
  fill(count) {
    const articles = Array.from({ length: count }, (_, index) => ({
      id: `n${index}`,
      title: `News ${index}`,
    }));
    controller.setResponse(ArticleResource.getList, { all: 1 }, articles);
  },
};
Object.assign(window, page);

function Newsroom() {
  const { data: authors = [] } = useDLE(getAuthors);
  const { data: articles = [] } = useDLE(ArticleResource.getList);
  const { data: first } = useDLE(ArticleResource.get, { id: '1' });
  const { error } = useDLE(ArticleResource.get, { id: 'missing' });
  return (
    <main>
      <h1>Newsroom</h1>
      <p>
        {authors.length} authors; {first?.title ?? 'no article'}; {error?.message ?? 'no error'}
      </p>
      <ul>
        {articles.map(({ id, title, author }) => (
          <li key={id}>
            {title}, {author?.name}
          </li>
        ))}
      </ul>
    </main>
  );
}

// Whatever the page does to its own elements must not reach the inspector.
const rude = document.createElement('style');
rude.textContent = `body { font: 20px serif; letter-spacing: 4px; } button { background: red !important; padding: 40px; }`;
document.head.append(rude);

createRoot(document.getElementById('root') ?? document.body).render(
  <DataProvider controller={controller}>
    <Newsroom />
    <Inspector />
  </DataProvider>,
);
