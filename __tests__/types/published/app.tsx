/**
 * What an app writes. `scripts/check-types.mjs` compiles it against the packed library with every TypeScript that
 * Holdfast promises, and emits its declarations; `npm run types` compiles it against the sources.
 */
import { Controller, createResource, Endpoint, Entity, hookifyResource, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { AsyncBoundary, DataProvider, useController, useSuspense } from 'holdfast/react';
import { tabs } from 'holdfast/tabs';

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

export class Article extends Entity {
  id = 0;
  title = '';
  author = User.fromJS();
  createdAt = new Date(0);
  static override key = 'Article';
  static override schema = { author: User, createdAt: Date };
}

export const ArticleResource = createResource({
  urlPrefix: 'https://api.example',
  path: '/articles/:id',
  schema: Article,
  dataExpiryLength: Infinity,
});

/** Functions may have fewer parameters than there are arguments, also where one argument may be the body. */
export const countedCreate = ArticleResource.create.extend({ process: (value) => value });

export function createAtOnce(controller: Controller, title: string): Promise<Article> {
  const create = ArticleResource.create.extend({ getOptimisticResponse: (_snapshot, body) => body });
  return controller.fetch(create, { title });
}

export const getPage = new RestEndpoint({
  path: '/articles\\?page=:page',
  schema: { results: [Article], next: '', previous: '' },
});

export const getUser = new Endpoint(async ({ id }: { id: string }) => ({ id, name: '' }), {
  name: 'getUser',
  schema: User,
});

export const useArticles = hookifyResource(ArticleResource, () => ({ headers: { authorization: 'token' } }));

export const controller = new Controller({
  plugins: [indexedDB({ name: 'app' }), tabs({ name: 'app', version: 1 })],
});

export function ArticlePage({ id }: { id: number }) {
  const article = useSuspense(ArticleResource.get, { id });
  const articles = useSuspense(useArticles.useGetList());
  const { results } = useSuspense(getPage, { page: 2 });
  const { fetch } = useController();
  const author: string = article.author.name;
  const year: number = article.createdAt.getFullYear();
  const titles: string[] = [...articles, ...results].map(({ title }) => title);
  const rename = async (): Promise<string> => {
    const changed = await fetch(ArticleResource.partialUpdate, { id }, { title: 'New' });
    return changed.title;
  };
  return (
    <button onClick={() => void rename()}>
      {author} {year} {titles.join()}
    </button>
  );
}

export function App() {
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <ArticlePage id={1} />
      </AsyncBoundary>
    </DataProvider>
  );
}

export async function withoutReact(): Promise<string> {
  const user = await controller.fetch(getUser, { id: '1' });
  // @ts-expect-error -- a parameter of the path is missing
  await controller.fetch(ArticleResource.get, {});
  return user.name;
}
