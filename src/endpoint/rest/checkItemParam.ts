import { isEntity } from '../../schema/isEntity.ts';
import type { EntityOrUnion } from '../../schema/Union.ts';
import { warnOnce } from '../../util/warnOnce.ts';
import type { RestEndpoint } from './RestEndpoint.ts';

/**
 * In development, warns of a path in which another parameter than the last has the name of the entity's primary key, as
 * in `/articles/:id/comments/:commentId`: such params identify the comment that has the id of the article.
 */
export function checkItemParam(
  entity: EntityOrUnion,
  { path, pathParams, itemParam }: Pick<RestEndpoint, 'path' | 'pathParams' | 'itemParam'>,
): void {
  const others = [...pathParams].filter((name) => name !== itemParam);
  if (!isEntity(entity) || itemParam === undefined || others.length === 0) return;
  const [first, second] = ['a', 'b'].map((item) => {
    const params = { ...Object.fromEntries(others.map((name) => [name, name])), [itemParam]: item };
    try {
      return entity.pk(params, undefined, undefined, [params]);
    } catch {
      return undefined; // a pk() that needs more than these
    }
  });
  if (first === undefined || first !== second) return;
  warnOnce(
    entity,
    'HF_PATH_PARAMETER',
    `In ${path}, the pk of the ${entity.name} is taken from ${others.map((name) => `:${name}`).join(' and ')}, not from :${itemParam}, so reads and changes would be of another one; give the last parameter the name of its primary key, and the others other names`,
    path,
  );
}
