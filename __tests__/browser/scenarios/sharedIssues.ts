import { Controller, createResource, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';

/** What a service worker and its page have in common: the same entity, resource and database. */

export class Issue extends Entity {
  id = '';
  title = '';
  static override key = 'Issue';
}

export const IssueResource = createResource({
  path: '/api/issues/:id',
  schema: Issue,
  urlPrefix: self.location.origin,
  dataExpiryLength: Infinity,
});

export const newController = () => new Controller({ plugins: [indexedDB({ name: 'issues' })] });
