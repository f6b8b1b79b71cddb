import { Controller, createResource, Entity, reachability, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';

/** What the test calls in the page. */
export interface AttachmentsPage {
  /** Sends the chosen file, or leaves it to the outbox; gives whether that was accepted. */
  send(): Promise<boolean>;
  /** Sends a mutation without a file; gives whether that was accepted. */
  rename(title: string): Promise<boolean>;
  /** Looks whether the server is there, and sends what waits; gives whether nothing is left. */
  drain(): Promise<boolean>;
  /** How many mutations wait. */
  waiting(): number;
  /** The codes of what went wrong. */
  readonly problems: readonly string[];
}

class Note extends Entity {
  id = '';
  title = '';
  static override key = 'Note';
}

const NoteResource = createResource({ path: '/api/notes/:id', schema: Note });
const attach = new RestEndpoint({
  path: '/api/attachments',
  method: 'POST',
  name: 'attach',
  schema: Note,
  body: new FormData(),
});
const input = document.body.appendChild(document.createElement('input'));
input.type = 'file';

const problems: string[] = [];
const onError = ({ code }: { readonly code: string }): void => void problems.push(code);
const box = outbox({ endpoints: [NoteResource, attach], onError });
const reach = reachability({ delay: () => Infinity });
const storage = location.search === '?own' ? [] : [indexedDB({ name: 'attachments', onError })];
const controller = new Controller({ plugins: [...storage, box, reach] });

const isAccepted = (mutation: Promise<unknown>): Promise<boolean> =>
  mutation.then(
    () => true,
    () => false,
  );

const attachments: AttachmentsPage = {
  send() {
    const form = new FormData();
    form.append('file', input.files?.[0] ?? '');
    return isAccepted(controller.fetch(attach, form));
  },
  rename: (title) => isAccepted(controller.fetch(NoteResource.partialUpdate, { id: '1' }, { title })),
  async drain() {
    await reach.probe();
    return box.drain();
  },
  waiting: () => box.status.get().entries.length,
  problems,
};
Object.assign(window, { attachments });
