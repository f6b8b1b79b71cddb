import { Controller, Endpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { Note } from '../../support/entities.ts';

const getNote = new Endpoint(async ({ id }: { id: string }): Promise<unknown> => ({ id }), {
  name: 'getNote',
  schema: Note,
  dataExpiryLength: Infinity,
});

const told: string[] = [];
const plugin = indexedDB({
  name: 'notes',
  onError: ({ code, message }) => told.push(`${code} ${message}`),
});
const controller = new Controller({ plugins: [plugin] });

const tornLog = {
  /** Writes a note; gives those that were there before, and what was told. */
  async write(id: string): Promise<{ notes: string[]; told: string[] }> {
    await controller.restored;
    const notes = [...(controller.getState().tables['Note']?.entries() ?? [])].map(([pk]) => pk);
    // More than an entry that was left unfinished would take.
    controller.setResponse(getNote, { id }, { id, text: 'x'.repeat(1_000) });
    await controller.flush();
    return { notes, told };
  },
};
Object.assign(window, { tornLog });
export type TornLogPage = typeof tornLog;
