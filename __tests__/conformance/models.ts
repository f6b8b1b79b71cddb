import { createResource, Entity, Union } from 'holdfast';
import { Tag, User } from '../support/entities.ts';

/** The server of the rows. */
export const URL_PREFIX = 'https://api.example.com';

/** With a required relation, an optional one, a list of entities and a converted field. */
export class Article extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  editor: User | null = null;
  tags: readonly Tag[] = [];
  published = new Date(0);
  static override key = 'Article';
  static override schema = { author: User, editor: User, tags: [Tag], published: Date };
}

/** Names itself by another field than `id`. */
export class Country extends Entity {
  code = '';
  name = '';
  static override key = 'Country';
  override pk() {
    return this.code;
  }
}

/** A tree: a parent, and children of the same class. */
export class Folder extends Entity {
  id = '';
  name = '';
  parent: Folder | undefined = undefined;
  children: readonly Folder[] = [];
  static override key = 'Folder';
}
Folder.schema = { parent: Folder, children: [Folder] };

export class Link extends Entity {
  id = '';
  type = 'link';
  url = '';
  static override key = 'Link';
}

export class Post extends Entity {
  id = '';
  type = 'post';
  text = '';
  static override key = 'Post';
}

export const FeedItem = new Union({ link: Link, post: Post }, 'type');

export class Todo extends Entity {
  id = '';
  title = '';
  userId = '';
  done = false;
  static override key = 'Todo';
}

/** Only its type counts. */
export const searchParams: {
  readonly userId?: string | number;
  readonly done?: boolean;
  readonly orderBy?: string;
  readonly cursor?: string;
  readonly group?: string;
} = {};

export const TodoResource = createResource({
  urlPrefix: URL_PREFIX,
  path: '/todos/:id',
  schema: Todo,
  searchParams,
});
