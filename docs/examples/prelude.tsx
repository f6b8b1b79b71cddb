/**
 * What the examples of the pages build on: a name that a page does not declare
 * is one of these, or Holdfast's own.
 */
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import type { ServerResponse } from 'node:http';
import type { ReactElement, ReactNode } from 'react';

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

export class Article extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  static override key = 'Article';
  static override schema = { author: User };
}

/** Some of an article, as a list may give it. */
export class ArticleSummary extends Entity {
  id = '';
  title = '';
  static override key = 'Article';
}

export class Video extends Entity {
  id = '';
  type = 'video';
  title = '';
  static override key = 'Video';
}

export class Comment extends Entity {
  id = '';
  articleId = '';
  text = '';
  static override key = 'Comment';
}

const options = { urlPrefix: 'https://api.example.com' };

export const UserResource = createResource({
  path: '/users/:id',
  schema: User,
  ...options,
});
export const ArticleResource = createResource({
  path: '/articles/:id',
  schema: Article,
  ...options,
});
const commentFilter: { articleId?: string } = {};

export const CommentResource = createResource({
  path: '/comments/:id',
  schema: Comment,
  searchParams: commentFilter,
  ...options,
});

export const controller = new Controller();

/** Between the examples and their server. */
export const network: { isDown: boolean; conflict?: object } = {
  isDown: false,
};

export class Task extends Entity {
  id = '';
  text = '';
  isDone = false;
  static override key = 'Task';
}

export const TaskResource = createResource({
  path: '/tasks/:id',
  schema: Task,
  ...options,
});

export class Price extends Entity {
  symbol = '';
  amount = 0;
  static override key = 'Price';

  override pk() {
    return this.symbol;
  }
}

export const getPrice = new RestEndpoint({
  path: '/prices/:symbol',
  schema: Price,
  pollFrequency: 5_000,
  ...options,
});

// What an app has of its own.
export const id = '1';
export const symbol = 'ACME';
export const title = 'Kelp';
export const userId = 'ada';
export const articles: readonly Article[] = [];
export const root = { render: (_page: ReactNode): void => undefined };
export const currentToken = (): string => 'token';
export const signIn = (): Promise<void> => Promise.resolve();
export const signOut = (): Promise<void> => Promise.resolve();
export const useSession = () => ({ token: 'token' });
export const report = (...what: readonly unknown[]): void =>
  console.error(...what);
export const useLanguage = (): string => 'en';
export const App = (_props: { controller?: Controller }): ReactElement => (
  <main />
);
export const Articles = (): ReactElement => <ul />;
export const approval = (_asked: object): Promise<void> => Promise.resolve();
export declare const response: ServerResponse;
export declare const socket: WebSocket;
export const ArticlePage = ({ id }: { readonly id: string }): ReactElement => (
  <main id={id} />
);
export const Failure = ({ error }: { readonly error: Error }): ReactElement => (
  <p>{error.message}</p>
);
export const Row = ({
  article,
}: {
  readonly article: Article;
}): ReactElement => <li>{article.title}</li>;
export const Spinner = (): ReactElement => <progress />;

interface SyncEvent {
  readonly tag: string;
  waitUntil(done: Promise<unknown>): void;
}

/** A service worker, which the types of a page do not know. */
export const self: {
  addEventListener(
    type: 'sync' | 'periodicsync',
    listener: (event: SyncEvent) => void,
  ): void;
} = globalThis;
