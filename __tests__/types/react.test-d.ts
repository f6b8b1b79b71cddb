/* eslint-disable @typescript-eslint/no-unused-vars -- the types are what is tested */
import { createResource } from '../../src/endpoint/rest/createResource.ts';
import type { EndpointError } from '../../src/endpoint/EndpointOptions.ts';
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

const { get, getList } = createResource({ path: '/articles/:id', schema: Article });
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
