import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';
import { Person } from './Person.ts';

export class Project extends Entity {
  id = '';
  name = '';
  description = '';
  color = '';
  lead: Person | undefined = undefined;
  /** Whether it has so many issues that a device loads them only when the project is opened. */
  large = false;

  static override key = 'Project';
  static override schema = { lead: Person };
}

export const ProjectResource = createResource({
  urlPrefix: api,
  path: '/projects/:id',
  schema: Project,
  dataExpiryLength: Infinity,
});
