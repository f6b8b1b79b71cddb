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

/** What can be sent to write a comment. */
export interface NewComment {
  body: string;
  author: string;
}

const base = createResource({
  urlPrefix: api,
  path: '/issues/:issue/comments/:id',
  schema: Comment,
  dataExpiryLength: Infinity,
  optimistic: true,
});

export const CommentResource = {
  ...base,
  create: base.create.extend({
    body: {} as NewComment, // a type
    getOptimisticResponse: (snapshot, { issue }: { issue: string | number }, comment: NewComment) => ({
      ...comment,
      issue: String(issue),
      createdAt: new Date(snapshot.fetchedAt).toISOString(),
    }),
  }),
};
