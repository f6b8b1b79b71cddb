import { Collection, createResource, Entity } from 'holdfast';
import { ApiEndpoint } from './ApiEndpoint.ts';
import { currentAuthor } from './currentAuthor.ts';
import { Profile } from './Profile.ts';

export class Comment extends Entity {
  id = 0;
  body = '';
  createdAt = new Date(0);
  author = Profile.fromJS();

  static override key = 'Comment';
  static override schema = { author: Profile, createdAt: Date };
}

class CommentEndpoint extends ApiEndpoint {
  override getRequestInit(body?: unknown) {
    return super.getRequestInit(body === undefined ? undefined : { comment: body });
  }
}

const comments = new Collection([Comment]);

export const CommentResource = createResource({
  path: '/articles/:slug/comments/:id',
  schema: Comment,
  Endpoint: CommentEndpoint,
}).extend((base) => ({
  getList: base.getList.extend({ schema: { comments } }),
  create: base.create.extend({
    body: {} as { body: string },
    schema: { comment: comments.push },
    getOptimisticResponse: (snapshot, _params, { body }) => ({
      comment: { body, createdAt: new Date(snapshot.fetchedAt).toISOString(), author: currentAuthor() },
    }),
  }),
  delete: base.delete.extend({
    getOptimisticResponse: (_snapshot, { id }) => ({ id }),
  }),
}));
