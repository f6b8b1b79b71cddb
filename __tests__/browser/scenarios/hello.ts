import { Entity } from 'holdfast';

class Person extends Entity {
  id = '';
  name = 'nobody';
}

document.title = Person.fromJS({ id: '1', name: 'Ada' }).name;
