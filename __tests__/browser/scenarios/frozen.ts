/** A page whose outbox alone knows of the other pages', by what lies on disk. */
import { Controller, createResource, Entity } from 'holdfast';
import { outbox } from 'holdfast/outbox';

class NoteWithNumericId extends Entity {
  id = 0;
  text = '';
  static override key = 'Note';
}

const NoteResource = createResource({ path: '/notes/:id', schema: NoteWithNumericId, optimistic: true });
// Without Web Locks, as on a page without TLS, there is a lease.
if (location.search === '?lease') Object.defineProperty(navigator, 'locks', { value: undefined });
const box = outbox({ endpoints: [NoteResource] });
const controller = new Controller({ plugins: [box] });

const app = {
  create: async (text: string): Promise<void> => {
    await controller.fetch(NoteResource.create, { text });
  },
  waiting: () => box.status.get().entries.length,
};

declare global {
  var frozenApp: typeof app;
}

await controller.ready;
globalThis.frozenApp = app;
