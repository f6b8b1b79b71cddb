import { All, Controller, Endpoint } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { Note } from '../../support/entities.ts';

const notes = new All(Note);
const listNotes = new Endpoint(
  () => Promise.resolve([{ id: '1', text: 'from the network' }, { id: '2', text: 'too' }]), // oxfmt-ignore
  { name: 'listNotes', schema: [Note] },
);

const version = new URLSearchParams(location.search).get('version');
const controller = new Controller({ plugins: [tabs(version === null ? {} : { version })] });

/** What the notes say now, in their order. */
function texts(): readonly string[] {
  return (controller.get(notes) ?? []).map(({ text }) => text);
}

/** What a test can have a tab do. */
export interface TabPage {
  write(id: string, text: string): void;
  fetch(): Promise<unknown>;
  expiresAt(): number;
  texts(): readonly string[];
  /** Resolves when the notes say this. */
  shows(wanted: readonly string[]): Promise<void>;
  reset(): Promise<void>;
}

declare global {
  var tab: TabPage;
}

globalThis.tab = {
  write: (id, text) => controller.set(Note, { id }, { id, text }),
  fetch: () => controller.fetch(listNotes),
  expiresAt: () => controller.getResponse(listNotes).expiresAt,
  texts,
  shows: (wanted) =>
    new Promise((resolve) => {
      const look = (): void => {
        if (texts().join() !== wanted.join()) return;
        stop();
        resolve();
      };
      const stop = controller.watch(notes, look);
      look();
    }),
  reset: () => controller.reset(),
};
