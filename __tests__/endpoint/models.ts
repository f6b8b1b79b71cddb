import { Entity } from '../../src/schema/entity/Entity.ts';
import { User } from '../support/entities.ts';

export class Article extends Entity {
  id = '';
  title = '';
  author = User.fromJS();
  createdAt = new Date(0);
  static override schema = { author: User, createdAt: Date };
}
