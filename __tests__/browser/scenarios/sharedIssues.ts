import { Controller, createResource } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { Issue } from '../../support/entities.ts';

export const IssueResource = createResource({
  path: '/api/issues/:id',
  schema: Issue,
  urlPrefix: self.location.origin,
  dataExpiryLength: Infinity,
});

export const newController = () => new Controller({ plugins: [indexedDB({ name: 'issues' })] });
