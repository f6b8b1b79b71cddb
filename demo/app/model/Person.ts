import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';

export class Person extends Entity {
  id = '';
  name = '';
  role = '';
  team = '';
  location = '';
  /** Colour of the avatar, in degrees. */
  hue = 0;

  static override key = 'Person';

  get initials(): string {
    const words = this.name.split(' ');
    return `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`;
  }
}

export const PersonResource = createResource({
  urlPrefix: api,
  path: '/people/:id',
  schema: Person,
  dataExpiryLength: Infinity,
});
