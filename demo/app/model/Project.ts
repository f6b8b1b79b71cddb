import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';
import { Person } from './Person.ts';

export class Project extends Entity {
  id = '';
  name = '';
  description = '';
  color = '';
  /** Issues name their project without these; only the project itself brings them. */
  counts = { open: 0, inProgress: 0, total: 0 };
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
