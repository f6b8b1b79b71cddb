import { Controller, createResource, reachability } from 'holdfast';
import { Note } from '../../support/entities.ts';

/** What the test asks of the page. */
export interface SessionPage {
  /** Reads the notes; resolves with whether that succeeded. */
  read(): Promise<boolean>;
  state(): string;
}

const NoteResource = createResource({ path: '/notes/:id', schema: Note });
const server = reachability();
const controller = new Controller({ plugins: [server] });
document.cookie = 'session=1';

const page: SessionPage = {
  read: () =>
    controller.fetch(NoteResource.getList).then(
      () => true,
      () => false,
    ),
  state: () => server.status.get(),
};
Object.assign(globalThis, { session: page });
