import type { Controller } from '../../src/controller/Controller.ts';
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import type { EndpointArgs, EndpointInterface } from '../../src/endpoint/EndpointInterface.ts';
import type { EndpointError } from '../../src/endpoint/EndpointOptions.ts';
import { hookifyResource } from '../../src/endpoint/rest/hookifyResource.ts';
import { RestEndpoint } from '../../src/endpoint/rest/RestEndpoint.ts';
import { useDebounce } from '../../src/react/useDebounce.ts';
import { useDLE } from '../../src/react/useDLE.ts';
import { useError } from '../../src/react/useError.ts';
import { useFetch } from '../../src/react/useFetch.ts';
import { useLive } from '../../src/react/useLive.ts';
import { useLoading } from '../../src/react/useLoading.ts';
import { useSubscription } from '../../src/react/useSubscription.ts';
import { useSuspense } from '../../src/react/useSuspense.ts';
import { assertType, type Equal } from './equal.ts';
import { Article } from '../support/entities.ts';

const ArticleResource = createResource({ path: '/articles/:id', schema: Article });
const { get, getList } = ArticleResource;
declare function method(): string;
declare const maybe: { readonly id: string } | null;

export function inferred(): void {
  const article = useSuspense(get, { id: '1' });
  assertType<Equal<typeof article, Article>>();
  const perhaps = useSuspense(get, maybe);
  assertType<Equal<typeof perhaps, Article | undefined>>();
  const live = useLive(get, { id: '1' });
  assertType<Equal<typeof live, Article>>();
  const perhapsLive = useLive(get, maybe);
  assertType<Equal<typeof perhapsLive, Article | undefined>>();
  const promise = useFetch(getList);
  assertType<Equal<typeof promise, Promise<Article[]>>>();
  const perhapsPromise = useFetch(get, null);
  assertType<Equal<typeof perhapsPromise, Promise<Article> | undefined>>();
  const error = useError(get, { id: '1' });
  assertType<Equal<typeof error, EndpointError | undefined>>();
  useSubscription(get, maybe);
}

export function narrowed(): string {
  const { data, loading, error, refreshing } = useDLE(get, { id: '1' });
  assertType<Equal<typeof data, Article | undefined>>();
  assertType<Equal<typeof refreshing, boolean>>();
  if (loading) return '…';
  if (error) return `${error.status ?? ''} ${error.message}`;
  assertType<Equal<typeof data, Article>>();

  const perhaps = useDLE(get, maybe);
  if (perhaps.loading || perhaps.error !== undefined) return '';
  assertType<Equal<typeof perhaps.data, Article | undefined>>();
  return data.title;
}

export function others(): void {
  const [save, saving, error] = useLoading(async (title: string, votes: number) => title.length + votes);
  assertType<Equal<ReturnType<typeof save>, Promise<number | undefined>>>();
  assertType<Equal<Parameters<typeof save>, [title: string, votes: number]>>();
  assertType<Equal<typeof saving, boolean>>();
  assertType<Equal<typeof error, Error | undefined>>();
  // @ts-expect-error an argument of another type
  void save(1, 2);
  const [query] = useDebounce(['a'], 100);
  assertType<Equal<typeof query, string[]>>();
}

export function misspelled(): void {
  // @ts-expect-error a wrong name
  useSuspense(get, { idd: '1' });
  // @ts-expect-error a wrong name
  useDLE(get, { idd: '1' });
  // @ts-expect-error a wrong name
  void useFetch(get, { idd: '1' });
  // @ts-expect-error a wrong name
  useLive(get, { idd: '1' });
  // @ts-expect-error a wrong name
  useError(get, { idd: '1' });
  // @ts-expect-error a wrong name
  useSubscription(get, { idd: '1' });
  // @ts-expect-error a parameter is missing
  void useFetch(get);
}

export function mutations(controller: Controller): void {
  const { create, partialUpdate } = ArticleResource;
  // @ts-expect-error a mutation cannot be read
  useSuspense(create, { title: 'new' });
  // @ts-expect-error a mutation cannot be read
  useSuspense(partialUpdate, { id: '1' }, { title: 'new' });
  // @ts-expect-error a mutation cannot be read
  useSuspense(ArticleResource.delete, { id: '1' });
  // @ts-expect-error a mutation cannot be read
  useSuspense(getList.push, { title: 'new' });
  // @ts-expect-error a mutation cannot be read
  useDLE(create, { title: 'new' });
  // @ts-expect-error a mutation cannot be read
  void useFetch(create, { title: 'new' });
  // @ts-expect-error a mutation cannot be read
  useLive(create, { title: 'new' });
  // @ts-expect-error a mutation cannot be read
  void controller.fetchIfStale(create, { title: 'new' });
  const Hooks = hookifyResource(ArticleResource, () => ({}));
  useSuspense(Hooks.useGet(), { id: '1' });
  // @ts-expect-error a mutation cannot be read
  useSuspense(Hooks.useCreate(), { title: 'new' });

  const search = new RestEndpoint({ path: '/search', method: 'POST', body: {} as { q: string } });
  // @ts-expect-error a POST is a mutation
  useSuspense(search, { q: 'kelp' });
  useSuspense(search.extend({ sideEffect: false }), { q: 'kelp' });
  // @ts-expect-error it still is a mutation
  useSuspense(search.extend({ dataExpiryLength: 5 }), { q: 'kelp' });
  useSuspense(new RestEndpoint({ path: '/search', method: 'HEAD' }));
  useSuspense(new RestEndpoint({ path: '/search', method: method() }));
}

/** Hooks of an app may pass on any endpoint. */
export function useAny<E extends EndpointInterface>(endpoint: E, ...args: EndpointArgs<E>): unknown {
  return [useSuspense(endpoint, ...args), useDLE(endpoint, ...args), useLive(endpoint, ...args)];
}
export function useRest(endpoint: RestEndpoint): unknown {
  return useSuspense(endpoint, {});
}
