/// <reference types="vite/client" />
import { createResource, Entity } from 'holdfast';
import type { components, paths } from './schema';

/** Compiles as long as it has every field of the document's `Task`, each with its type. */
export class Task extends Entity implements Required<components['schemas']['Task']> {
  id = '';
  title = '';
  done = false;
  static override key = 'Task';
}

/** A path of the document, `/tasks/{id}`, as a pattern of Holdfast: `/tasks/:id`. */
type Pattern<Path> = Path extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${Pattern<After>}`
  : Path;

// Their types count, their values do not.
const query: NonNullable<paths['/tasks']['get']['parameters']['query']> = {};
const change: components['schemas']['TaskChange'] = {};

const BaseResource = createResource({
  urlPrefix: import.meta.env.VITE_API as string,
  path: '/tasks/:id' satisfies Pattern<keyof paths>,
  schema: Task,
  searchParams: query,
});

/** Only what the document has: the resource as it is also has `create`, `update` and `delete`. */
export const TaskResource = {
  get: BaseResource.get,
  getList: BaseResource.getList,
  partialUpdate: BaseResource.partialUpdate.extend({ body: change }),
};
