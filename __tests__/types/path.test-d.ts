import type { PathParams, ShortenPath } from '../../src/endpoint/url/pathTypes.ts';
import { assertType, type Equal } from './equal.ts';

type Value = string | number;

assertType<Equal<PathParams<'/articles/:id'>, { readonly id: Value }>>();
assertType<Equal<keyof PathParams<'/articles'>, never>>();
assertType<
  Equal<
    PathParams<'/groups/:group{/members/:id}'>,
    { readonly group: Value; readonly id?: Value | undefined }
  >
>();
assertType<
  Equal<PathParams<'/a{/:x{/:y}}/z'>, { readonly x?: Value | undefined; readonly y?: Value | undefined }>
>();
assertType<Equal<PathParams<'/a{/b}/:x'>, { readonly x: Value }>>();
assertType<Equal<PathParams<'/a/:x{/:x/:y}'>, { readonly x: Value; readonly y?: Value | undefined }>>();
assertType<Equal<PathParams<'/files/*path'>, { readonly path: string | readonly Value[] }>>();
assertType<Equal<PathParams<'/files{/*path}'>, { readonly path?: string | readonly Value[] | undefined }>>();
assertType<
  Equal<PathParams<'/:"first name"/:"a \\"b\\""'>, { readonly 'first name': Value; readonly 'a "b"': Value }>
>();
assertType<
  Equal<PathParams<'/articles\\?page=:page&q\\:x=:q'>, { readonly page: Value; readonly q: Value }>
>();
assertType<
  Equal<PathParams<'/:from-:to.:ext'>, { readonly from: Value; readonly to: Value; readonly ext: Value }>
>();
assertType<Equal<PathParams<'/a\\{/:x'>, { readonly x: Value }>>();
assertType<Equal<PathParams<string>, Readonly<Record<string, unknown>>>>();
assertType<Equal<PathParams<`/${string}/:id`>, Readonly<Record<string, unknown>>>>();

assertType<Equal<ShortenPath<'/g/:group/a/:id'>, '/g/:group/a'>>();
assertType<Equal<ShortenPath<'/a/:id'>, '/a'>>();
assertType<Equal<ShortenPath<'/:id'>, '/'>>();
assertType<Equal<ShortenPath<'/a'>, '/a'>>();
assertType<Equal<ShortenPath<'/a/:id/detail'>, '/a'>>();
assertType<Equal<ShortenPath<'/a/v:id'>, '/a'>>();
assertType<Equal<ShortenPath<'/a/:x-:id'>, '/a/:x'>>();
assertType<Equal<ShortenPath<'/a{/:id}'>, '/a'>>();
assertType<Equal<ShortenPath<'/a/{:id}'>, '/a'>>();
assertType<Equal<ShortenPath<'/a{/:g}/b/:id'>, '/a{/:g}/b'>>();
assertType<Equal<ShortenPath<'/a\\?x=:x&id=:id'>, '/a\\?x=:x'>>();
assertType<Equal<ShortenPath<'/a\\?id=:id'>, '/a'>>();
assertType<Equal<ShortenPath<'/a/:"x y"/b/*rest'>, '/a/:"x y"/b'>>();
assertType<Equal<ShortenPath<'/a/:id/'>, '/a/'>>();
assertType<Equal<ShortenPath<'/:id/'>, '/'>>();
assertType<Equal<ShortenPath<'/g/:group/a/:id/'>, '/g/:group/a/'>>();
assertType<Equal<ShortenPath<'/a{/:id}/'>, '/a/'>>();
assertType<Equal<ShortenPath<'/a/:id/detail/'>, '/a/'>>();
assertType<Equal<ShortenPath<'/a/'>, '/a/'>>();
assertType<Equal<ShortenPath<'/a/\\?id=:id'>, '/a/'>>();
assertType<Equal<ShortenPath<'/a\\?path=:id/'>, '/a'>>();
assertType<Equal<ShortenPath<string>, string>>();
