import { expect, it } from '@jest/globals';
import { Collection, Controller, createResource, Endpoint } from 'holdfast';
import { Note } from '../../support/entities.ts';

/** A list that has the same pk for all args. */
class Latest extends Collection<[typeof Note]> {
  override pk(): string {
    return 'latest';
  }
}

it('a create leaves a list alone whose pk a subclass makes', async () => {
  const Notes = createResource({
    urlPrefix: 'https://example.com',
    path: '/notes/:id',
    schema: Note,
    optimistic: true,
  });
  const getLatest = new Endpoint(() => Promise.resolve([{ id: '1' }]), {
    name: 'getLatest',
    schema: new Latest([Note]),
  });
  const controller = new Controller();
  await controller.fetch(getLatest);
  controller.setResponse(Notes.getList, []);
  controller.setResponse(Notes.create, { text: 'new' }, { id: '2', text: 'new' });
  expect(controller.getResponse(Notes.getList).data?.map(({ id }) => id)).toEqual(['2']);
  expect(controller.getResponse(getLatest).data?.map(({ id }) => id)).toEqual(['1']);
});
