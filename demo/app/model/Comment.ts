import { Collection, createResource, Entity } from 'holdfast';
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

/** The comments of an issue: one list, whether it is read by its endpoint or comes with the issue. */
export const comments = new Collection([Comment], {
  argsKey: ({ issue }) => ({ issue }),
  nestKey: ({ id }) => ({ issue: id }),
});

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
  getList: base.getList.extend({ schema: comments }),
  create: base.create.extend({
    appendTo: comments,
    body: {} as NewComment, // a type
    getOptimisticResponse: (snapshot, { issue }: { issue: string | number }, comment: NewComment) => ({
      ...comment,
      issue: String(issue),
      createdAt: new Date(snapshot.fetchedAt).toISOString(),
    }),
  }),
};
