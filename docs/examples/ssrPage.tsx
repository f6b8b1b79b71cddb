import { createResource, Entity, type Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';

class Article extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
}
export const ArticleResource = createResource({
  path: '/articles/:id',
  schema: Article,
  // absolute: on a server, relative URLs have no base
  urlPrefix: 'https://api.example.com',
});

function Articles() {
  return useSuspense(ArticleResource.getList).map(({ id, title }) => (
    <h2 key={id}>{title}</h2>
  ));
}

export const ArticlePage = ({ controller }: { controller: Controller }) => (
  <html lang="en">
    <body>
      <DataProvider controller={controller}>
        <h1>Articles</h1>
        <AsyncBoundary fallback="Loading…" children={<Articles />} />
      </DataProvider>
    </body>
  </html>
);
