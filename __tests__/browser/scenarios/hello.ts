import { Entity } from 'holdfast';

class NamedPerson extends Entity {
  id = '';
  name = 'nobody';
  static override key = 'Person';
}

document.title = NamedPerson.fromJS({ id: '1', name: 'Ada' }).name;
