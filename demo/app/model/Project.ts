import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';
import { Person } from './Person.ts';

export class Project extends Entity {
  id = '';
  name = '';
  description = '';
  color = '';
  lead: Person | undefined = undefined;

  static override key = 'Project';
  static override schema = { lead: Person };
}

export const ProjectResource = createResource({
  urlPrefix: api,
  path: '/projects/:id',
  schema: Project,
  dataExpiryLength: Infinity,
});
