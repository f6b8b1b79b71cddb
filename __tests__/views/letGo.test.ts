import { expect, it } from '@jest/globals';
import { Entity } from 'holdfast';
import { EntityRegistry } from '../../src/store/EntityRegistry.ts';
import { Store } from '../../src/store/Store.ts';
import { Views } from '../../src/views/Views.ts';
import { row } from '../store/rows.ts';

class LinkWithoutDefault extends Entity {
  id = '';
  next: LinkWithoutDefault | undefined;
  static override key = 'Link';
}
LinkWithoutDefault.schema = { next: LinkWithoutDefault };

it('views release the nodes of a cycle with its rows', () => {
  const options = { action: { type: 'set' }, origin: 'app' } as const;
  const store = new Store({
    changed: (changes) => views.apply(changes, new Set()),
    committed: () => undefined,
  });
  const views: Views = new Views(() => store.head, new EntityRegistry());
  store.commit((writer) => {
    writer.setRow('Link', '1', row({ id: '1', next: '2' }));
    writer.setRow('Link', '2', row({ id: '2', next: '1' }));
  }, options);
  const link = views.entity(LinkWithoutDefault, '1') as LinkWithoutDefault; // joined by Link
  expect(link.next?.next).toBe(link);
  expect(views.size).toBe(2);
  store.reset(options);
  expect(views.size).toBe(0);
});
