import { ApiError, forbidden, notFound } from './ApiError.mjs';
import { account, articleOf, commentOf, profile, summary } from './present.mjs';

/** @import { Article, Database, User } from './Database.mjs' */

/**
 * @typedef {object} Call
 * @property {Database} database
 * @property {readonly string[]} params the parts of the path that a route leaves open
 * @property {URLSearchParams} search
 * @property {Record<string, any>} body the parsed one
 * @property {User | undefined} viewer whose token it carries
 * @property {boolean} listsBodies whether lists of articles have their bodies, as they had until August 2024
 * @property {(user: User) => string} issue makes a token
 *
 * @typedef {{ status: number, body?: unknown }} Answer
 */

/** @type {Record<string, (call: Call) => Answer>} */
const routes = {
  'POST /users/login': ({ database, body, issue }) => {
    const { email, password } = body['user'] ?? {};
    const user = database.users.find((other) => other.email === email);
    if (user === undefined || !database.isPassword(user, String(password)))
      throw new ApiError(401, { credentials: ['are invalid'] });
    return ok({ user: account(user, issue(user)) });
  },
  'POST /users': ({ database, body, issue }) => {
    const given = required(body['user'], ['username', 'email', 'password']);
    refuseTaken(database, given);
    const user = database.addUser(/** @type {any} */ (given));
    return { status: 201, body: { user: account(user, issue(user)) } };
  },
  'GET /user': (call) => ok({ user: account(signedIn(call), call.issue(signedIn(call))) }),
  'PUT /user': (call) => {
    const user = signedIn(call);
    const given = call.body['user'] ?? {};
    required({ username: user.username, email: user.email, password: '-', ...given }, [
      'username',
      'email',
      'password',
    ]);
    refuseTaken(call.database, given, user);
    const { password, ...fields } = given;
    if (password) call.database.setPassword(user, password);
    for (const name of /** @type {const} */ (['email', 'username', 'bio', 'image']))
      if (name in fields) user[name] = fields[name];
    return ok({ user: account(user, call.issue(user)) });
  },

  'GET /profiles/*': (call) => ok({ profile: profile(named(call), call.viewer) }),
  'POST /profiles/*/follow': (call) => follow(call, true),
  'DELETE /profiles/*/follow': (call) => follow(call, false),

  'GET /articles': (call) => {
    const { database, search } = call;
    const [tag, author, favorited] = ['tag', 'author', 'favorited'].map((name) => search.get(name));
    const [writer, lover] = [author, favorited].map((name) =>
      database.users.find(({ username }) => username === name),
    );
    return page(
      call,
      database.articles.filter(
        ({ id, authorId, tagList }) =>
          (!tag || tagList.includes(tag)) &&
          (!author || authorId === writer?.id) &&
          (!favorited || lover?.favorites.includes(id)),
      ),
    );
  },
  'GET /articles/feed': (call) => {
    const { follows } = signedIn(call);
    return page(
      call,
      call.database.articles.filter(({ authorId }) => follows.includes(authorId)),
    );
  },
  'GET /articles/*': (call) => ok({ article: articleOf(call.database, article(call), call.viewer) }),
  'POST /articles': (call) => {
    const author = signedIn(call);
    const given = required(call.body['article'], ['title', 'description', 'body']);
    const made = call.database.addArticle(/** @type {any} */ (given), author.id);
    return { status: 201, body: { article: articleOf(call.database, made, author) } };
  },
  'PUT /articles/*': (call) => {
    const changed = own(call);
    const given = call.body['article'] ?? {};
    required({ ...changed, ...given }, ['title', 'description', 'body']);
    const slug =
      given.title === undefined || given.title === changed.title
        ? changed.slug
        : call.database.freeSlug(given.title, changed);
    for (const name of /** @type {const} */ (['title', 'description', 'body', 'tagList']))
      if (name in given) Object.assign(changed, { [name]: given[name] });
    Object.assign(changed, { slug, updatedAt: new Date().toISOString() });
    return ok({ article: articleOf(call.database, changed, call.viewer) });
  },
  'DELETE /articles/*': (call) => {
    const { database } = call;
    const gone = own(call);
    database.articles = database.articles.filter((other) => other !== gone);
    database.comments = database.comments.filter(({ articleId }) => articleId !== gone.id);
    return { status: 204 };
  },

  'POST /articles/*/favorite': (call) => favorite(call, true),
  'DELETE /articles/*/favorite': (call) => favorite(call, false),

  'GET /articles/*/comments': (call) => {
    const { id } = article(call);
    const { database, viewer } = call;
    const comments = database.comments.filter(({ articleId }) => articleId === id);
    return ok({ comments: comments.map((comment) => commentOf(database, comment, viewer)) });
  },
  'POST /articles/*/comments': (call) => {
    const author = signedIn(call);
    const { id: articleId } = article(call);
    const { body } = required(call.body['comment'], ['body']);
    const now = new Date().toISOString();
    const comment = {
      id: call.database.nextId(),
      articleId,
      authorId: author.id,
      body,
      createdAt: now,
      updatedAt: now,
    };
    call.database.comments.push(comment);
    return { status: 201, body: { comment: commentOf(call.database, comment, author) } };
  },
  'DELETE /articles/*/comments/*': (call) => {
    const viewer = signedIn(call);
    const { id: articleId } = article(call);
    const { database, params } = call;
    const gone = database.comments.find(
      (comment) => comment.articleId === articleId && String(comment.id) === params[1],
    );
    if (gone === undefined) throw notFound('comment');
    if (gone.authorId !== viewer.id) throw forbidden('comment');
    database.comments = database.comments.filter((comment) => comment !== gone);
    return { status: 204 };
  },

  'GET /tags': ({ database }) => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const tag of database.articles.flatMap(({ tagList }) => tagList))
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return ok({ tags: [...counts].sort((left, right) => right[1] - left[1]).map(([tag]) => tag) });
  },
};

const compiled = Object.entries(routes).map(([pattern, handle]) => ({
  matcher: new RegExp(`^${pattern.replaceAll('*', '([^/]+)')}$`),
  // Of `/articles/feed` and `/articles/*`, the one without an open part.
  opens: pattern.split('*').length,
  handle,
}));
compiled.sort((left, right) => left.opens - right.opens);

/**
 * Finds what answers a request.
 *
 * @param {string} method
 * @param {string} path without the prefix
 * @returns {{ handle(call: Call): Answer, params: readonly string[] }}
 * @throws ApiError 404
 */
export function findRoute(method, path) {
  for (const { matcher, handle } of compiled) {
    const found = matcher.exec(`${method} ${path}`);
    if (found !== null) return { handle, params: found.slice(1).map(decodeURIComponent) };
  }
  throw notFound('route');
}

/** @param {unknown} body */
const ok = (body) => ({ status: 200, body });

/** @param {Call} call */
function signedIn({ viewer }) {
  if (viewer === undefined) throw new ApiError(401, { token: ['is missing'] });
  return viewer;
}

/** @param {Call} call */
function named({ database, params }) {
  const user = database.users.find(({ username }) => username === params[0]);
  if (user === undefined) throw notFound('profile');
  return user;
}

/** @param {Call} call */
function article({ database, params }) {
  const found = database.articles.find(({ slug }) => slug === params[0]);
  if (found === undefined) throw notFound('article');
  return found;
}

/** @param {Call} call */
function own(call) {
  const viewer = signedIn(call);
  const found = article(call);
  if (found.authorId !== viewer.id) throw forbidden('article');
  return found;
}

/**
 * @param {Call} call
 * @param {boolean} isWanted
 */
function follow(call, isWanted) {
  const viewer = signedIn(call);
  const user = named(call);
  viewer.follows = viewer.follows.filter((id) => id !== user.id);
  if (isWanted) viewer.follows.push(user.id);
  return ok({ profile: profile(user, viewer) });
}

/**
 * @param {Call} call
 * @param {boolean} isWanted
 */
function favorite(call, isWanted) {
  const viewer = signedIn(call);
  const { id } = article(call);
  viewer.favorites = viewer.favorites.filter((other) => other !== id);
  if (isWanted) viewer.favorites.push(id);
  return ok({ article: articleOf(call.database, article(call), viewer) });
}

/**
 * @param {Call} call
 * @param {readonly Article[]} articles
 */
function page({ database, search, viewer, listsBodies }, articles) {
  const limit = Number(search.get('limit') ?? 20);
  const offset = Number(search.get('offset') ?? 0);
  const present = listsBodies ? articleOf : summary;
  return ok({
    articles: articles.slice(offset, offset + limit).map((one) => present(database, one, viewer)),
    articlesCount: articles.length,
  });
}

/**
 * @param {Record<string, any> | undefined} given
 * @param {readonly string[]} names
 * @throws ApiError 422
 */
function required(given, names) {
  const missing = names.filter((name) => !given?.[name]);
  if (given === undefined || missing.length > 0)
    throw new ApiError(422, Object.fromEntries(missing.map((name) => [name, ["can't be blank"]])));
  return given;
}

/**
 * @param {Database} database
 * @param {Record<string, any>} given
 * @param {User} [own]
 * @throws ApiError 422
 */
function refuseTaken(database, given, own) {
  for (const name of /** @type {const} */ (['username', 'email']))
    if (database.users.some((user) => user !== own && user[name] === given[name]))
      throw new ApiError(422, { [name]: ['has already been taken'] });
}
