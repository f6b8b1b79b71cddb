import { createResource, Entity } from 'holdfast';
import { api } from './api.ts';

export class Label extends Entity {
  id = '';
  name = '';
  description = '';
  color = '';

  static override key = 'Label';
}

export const LabelResource = createResource({
  urlPrefix: api,
  path: '/labels/:id',
  schema: Label,
  dataExpiryLength: Infinity,
});
