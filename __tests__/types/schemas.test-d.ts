/* eslint-disable @typescript-eslint/no-unused-vars -- the types are what is tested */
import { ArraySchema } from '../../src/schema/ArraySchema.ts';
import { Entity } from '../../src/schema/Entity.ts';
import type { Denormalize } from '../../src/schema/Schema.ts';
import { Union } from '../../src/schema/Union.ts';
import { Values } from '../../src/schema/Values.ts';
import { assertType, type Equal } from './equal.ts';

class Article extends Entity {
  id = '';
  title = '';
}
class Video extends Entity {
  id = '';
  length = 0;
}

export function shapes(): void {
  const item = new Union({ article: Article, video: Video }, 'type');
  assertType<Equal<Denormalize<typeof item>, Article | Video>>();
  const byFunction = new Union({ article: Article, video: Video }, (value) => value['kind']);
  assertType<Equal<Denormalize<typeof byFunction>, Article | Video>>();

  const list = new ArraySchema(Article);
  assertType<Equal<Denormalize<typeof list>, Article[]>>();
  const items = new ArraySchema(item);
  assertType<Equal<Denormalize<typeof items>, (Article | Video)[]>>();

  const map = new Values(Article);
  assertType<Equal<Denormalize<typeof map>, Record<string, Article>>>();
  const nested = { list, map, item, next: '' };
  assertType<
    Equal<
      Denormalize<typeof nested>,
      { list: Article[]; map: Record<string, Article>; item: Article | Video; next: string }
    >
  >();

  // @ts-expect-error a union is of entities
  new Union({ article: Date }, 'type');
  // @ts-expect-error a discriminator is needed
  new Union({ article: Article });
  // @ts-expect-error a schema is needed
  new Values();
}
