import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';
import { Person } from './Person.ts';

export class Comment extends Entity {
  id = '';
  issue = '';
  body = '';
  author = Person.fromJS();
  createdAt = new Date(0);

  static override key = 'Comment';
  static override schema = { author: Person, createdAt: Date };
}

export const CommentResource = createResource({
  urlPrefix: api,
  path: '/issues/:issue/comments/:id',
  schema: Comment,
  dataExpiryLength: Infinity,
});
