import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';

class Article extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
}
const options = {
  urlPrefix: 'https://api.example.com',
  dataExpiryLength: Infinity,
};
const ArticleResource = createResource({
  path: '/articles/:id',
  schema: Article,
  ...options,
});
const controller = new Controller({
  plugins: [indexedDB({ name: 'articles' })],
});

const shout = ({ id, title }: Article) =>
  controller.fetch(
    ArticleResource.partialUpdate,
    { id },
    { title: `${title}!` },
  );

function Articles() {
  const articles = useSuspense(ArticleResource.getList);
  return articles.map((article) => (
    <button key={article.id} onClick={() => shout(article)}>
      {article.title}
    </button>
  ));
}
export const App = () => (
  <DataProvider controller={controller}>
    <AsyncBoundary fallback="Loading…" children={<Articles />} />
  </DataProvider>
);
