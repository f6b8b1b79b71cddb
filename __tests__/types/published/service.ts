/** What a service writes: `scripts/check-types.mjs` also compiles this file alone, with the types of Node and without the DOM. */
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';

class Task extends Entity {
  id = '';
  text = '';
  static override key = 'Task';
}

class ApiEndpoint<O extends { readonly path: string } = { readonly path: string }> extends RestEndpoint<O> {
  override getHeaders(headers: Record<string, string>) {
    return { ...headers, authorization: 'token' };
  }
}

export const TaskResource = createResource({ path: '/tasks/:id', schema: Task, Endpoint: ApiEndpoint });
export const controller = new Controller();

export async function textOf(id: string): Promise<string> {
  const { text } = await controller.fetch(TaskResource.get, { id });
  return text.toUpperCase();
}
