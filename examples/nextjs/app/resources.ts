import { createResource, Entity } from 'holdfast';

export class Article extends Entity {
  id = '';
  title = '';
  isPublished = false;
  static override key = 'Article';
}

export const ArticleResource = createResource({
  // Absolute: the server and the browser both use it.
  urlPrefix: process.env['NEXT_PUBLIC_API'] ?? 'http://localhost:4555',
  path: '/articles/:id',
  schema: Article,
  // Persisted.
  dataExpiryLength: Infinity,
});
