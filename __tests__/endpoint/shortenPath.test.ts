import { expect, it } from '@jest/globals';
import { shortenPath } from '../../src/endpoint/url/shortenPath.ts';

it.each([
  ['/g/:group/a/:id', '/g/:group/a'],
  ['/a/:id', '/a'],
  ['/:id', '/'],
  ['/a', '/a'],
  ['/a/:id/detail', '/a'],
  ['/a/v:id', '/a'],
  ['/a/:x-:id', '/a/:x'],
  ['/a{/:id}', '/a'],
  ['/a/{:id}', '/a'],
  ['/a{/:g}/b/:id', '/a{/:g}/b'],
  ['/a\\?x=:x&id=:id', '/a\\?x=:x'],
  ['/a\\?id=:id', '/a'],
  ['/a/:"x y"/b/*rest', '/a/:"x y"/b'],
  ['/a{/:g{/:id}}', '/a'],
  ['/a{/b}/:id', '/a{/b}'],
  ['/:"a/{b}:\\"c"-:id', '/:"a/{b}:\\"c"'],
  ['/a\\:b/:id', '/a\\:b'],
  ['/é:é1/:ö', '/é:é1'],
  ['/a/:id/', '/a/'],
  ['/:id/', '/'],
  ['/g/:group/a/:id/', '/g/:group/a/'],
  ['/a{/:id}/', '/a/'],
  ['/a/:id/detail/', '/a/'],
  ['/a/', '/a/'],
  ['/a/\\?id=:id', '/a/'],
  ['/a\\?path=:id/', '/a'],
])('%s without its last parameter is %s', (path, shortened) => {
  expect(shortenPath(path)).toBe(shortened);
});
