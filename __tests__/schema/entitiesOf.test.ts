import { describe, expect, it } from '@jest/globals';
import { Collection, Delete, Entity, Union, Values, type Schema } from 'holdfast';
import { entitiesOf, nameOf } from '../../src/schema/entitiesOf.ts';
import { Article, Video } from '../support/entities.ts';

class Clip extends Entity {
  id = '';
  static override key = 'Video';
}
const media = new Union({ video: Video, article: Article, clip: Clip }, ({ type }) => type);

describe('entitiesOf', () => {
  it('entitiesOf returns all possible entities without a value', () => {
    expect(entitiesOf(Article)).toEqual([Article]);
    expect(entitiesOf(media)).toEqual([Video, Article, Clip]);
    expect(entitiesOf(new Delete(media))).toEqual([Video, Article, Clip]);
  });

  it('entitiesOf returns the discriminated class of a value', () => {
    expect(entitiesOf(media, { type: 'clip' })).toEqual([Clip]);
    expect(entitiesOf(new Delete(media), { type: 'article' })).toEqual([Article]);
  });

  it('entitiesOf returns all possible classes for a value without a discriminator', () => {
    expect(entitiesOf(media, { id: 'v1' })).toEqual([Video, Article, Clip]);
    expect(entitiesOf(media, 'v1')).toEqual([Video, Article, Clip]);
  });

  it('entitiesOf returns none for a value of a type that the union does not list', () => {
    expect(entitiesOf(media, { type: 'podcast' })).toEqual([]);
  });

  it.each<[string, Schema]>([
    ['a list', [Article]],
    ['a map', new Values(Article)],
    ['a collection', new Collection([Article])],
    ['an object', { article: Article }],
    ['a converter', Date],
    ['text', ''],
    ['nothing', undefined],
  ])('entitiesOf returns none for %s', (_name, schema) => {
    expect(entitiesOf(schema)).toEqual([]);
    expect(nameOf(schema)).toBe('');
  });
});

it('a schema is named after its tables, each once and in one order', () => {
  expect(nameOf(Article)).toBe('Article');
  expect(nameOf(media)).toBe('Article|Video');
  expect(nameOf(new Union({ article: Article, video: Clip }, ({ type }) => type))).toBe('Article|Video');
});
