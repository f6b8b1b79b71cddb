import { Controller, createResource } from 'holdfast';
import { Note } from '../../support/entities.ts';

/** What the test asks of the page. */
export interface HttpCachePage {
  /** The texts of the notes, as the server lists them now. */
  list(): Promise<string[]>;
  /** The same, but from a response in the browser's HTTP cache if there is one. */
  listFromCache(): Promise<string[]>;
  /** Changes the text of a note on the server. */
  change(id: string, text: string): Promise<void>;
}

const NoteResource = createResource({ path: '/notes/:id', schema: Note });
const getFromCache = NoteResource.getList.extend({ requestInit: { cache: 'default' } });
const controller = new Controller();

const page: HttpCachePage = {
  async list() {
    const notes = await controller.fetch(NoteResource.getList);
    return notes.map(({ text }) => text);
  },
  async listFromCache() {
    const notes = await controller.fetch(getFromCache);
    return notes.map(({ text }) => text);
  },
  async change(id, text) {
    await controller.fetch(NoteResource.partialUpdate, { id }, { text });
  },
};
Object.assign(globalThis, { httpCache: page });
