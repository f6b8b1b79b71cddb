import { Collection, createResource, type CollectionOptions } from 'holdfast';
import { ApiEndpoint } from './ApiEndpoint.ts';
import { Article, ArticleSummary, type ArticleText } from './Article.ts';
import { currentAuthor } from './currentAuthor.ts';

/** Which lists an article belongs in that the person who is signed in has written. */
const belongsIn: CollectionOptions['createCollectionFilter'] = (written) => {
  const { tagList } = written as unknown as ArticleText; // the body of `create`
  const { username } = currentAuthor();
  return ({ tag, author, favorited }) =>
    (tag === undefined || tagList.includes(tag)) &&
    (author === undefined || author === username) &&
    favorited === undefined;
};

// Of the next three, only the types count.
const page: { limit?: number } = {};
const search: { tag?: string; author?: string; favorited?: string; limit?: number } = {};
const changes: Partial<ArticleText> = {};

const articles = new Collection([ArticleSummary], { createCollectionFilter: belongsIn });
const feed = new Collection([ArticleSummary]);

/** The list of what the person who is signed in has favorited. */
const ownFavorites: CollectionOptions['createCollectionFilter'] = () => {
  const { username } = currentAuthor();
  return ({ favorited }) => favorited === username;
};
const favorite = articles.addWith(
  (slugs: readonly string[], [added = '']: readonly string[]) => [
    added,
    ...slugs.filter((slug) => slug !== added),
  ],
  ownFavorites,
);
const unfavorite = articles.addWith(
  (slugs: readonly string[], [removed]: readonly string[]) => slugs.filter((slug) => slug !== removed),
  ownFavorites,
);
const article = { article: Article };

class ArticleEndpoint extends ApiEndpoint {
  override getRequestInit(body?: unknown) {
    return super.getRequestInit(body === undefined ? undefined : { article: body });
  }
}

export const ArticleResource = createResource({
  path: '/articles/:slug',
  schema: Article,
  Endpoint: ArticleEndpoint,
  paginationField: 'offset',
}).extend((base) => ({
  get: base.get.extend({ schema: article }),
  getList: base.getList.extend({
    searchParams: search,
    schema: { articles, articlesCount: 0 },
  }),
  /** By the people whom one follows. */
  getFeed: base.getList.extend({
    path: '/articles/feed',
    searchParams: page,
    schema: { articles: feed, articlesCount: 0 },
  }),
  create: base.create.extend({
    body: {} as ArticleText,
    searchParams: undefined,
    schema: { article: articles.unshift },
    getOptimisticResponse: (snapshot, text) => {
      const now = new Date(snapshot.fetchedAt).toISOString();
      return { article: { ...text, createdAt: now, updatedAt: now, author: currentAuthor() } };
    },
  }),
  update: base.update.extend({
    body: changes,
    schema: article,
    getOptimisticResponse: (snapshot, { slug }, text) => ({
      article: { ...text, slug, updatedAt: new Date(snapshot.fetchedAt).toISOString() },
    }),
  }),
  delete: base.delete.extend({
    getOptimisticResponse: (_snapshot, { slug }) => ({ slug }),
  }),
  favorite: base.get.extend({
    path: '/articles/:slug/favorite',
    method: 'POST',
    body: undefined,
    schema: { article: favorite },
    getOptimisticResponse(snapshot, { slug }) {
      const shown = snapshot.get(ArticleSummary, { slug });
      if (shown === undefined) throw snapshot.abort;
      return { article: { slug, favorited: true, favoritesCount: shown.favoritesCount + 1 } };
    },
  }),
  unfavorite: base.get.extend({
    path: '/articles/:slug/favorite',
    method: 'DELETE',
    schema: { article: unfavorite },
    getOptimisticResponse(snapshot, { slug }) {
      const shown = snapshot.get(ArticleSummary, { slug });
      if (shown === undefined) throw snapshot.abort;
      return { article: { slug, favorited: false, favoritesCount: shown.favoritesCount - 1 } };
    },
  }),
}));
