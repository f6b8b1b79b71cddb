import { Controller, reachability, RestEndpoint } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';

/** What the test calls in the page. */
export interface UploadWindow {
  readonly upload: {
    /** Sends a form with a file, and a blob, or leaves them to the outbox. */
    send(): Promise<void>;
    /** Changes a title, which has no file. */
    rename(title: string): Promise<void>;
    /** Sends a blob; gives why that was rejected. */
    sendText(): Promise<string | undefined>;
    /** Codes and sentences of what went wrong. */
    problems(): readonly (readonly [code: string, message: string])[];
    /** Looks whether the server is there, and sends what waits; gives whether anything is left. */
    again(): Promise<boolean>;
    /** Whether the app, and whether the browser, takes it to be online, and how many mutations wait. */
    state(): readonly [isOnline: boolean, isBrowserOnline: boolean, waiting: number];
  };
}

const setCover = new RestEndpoint({
  path: '/api/covers/:id',
  method: 'POST',
  name: 'setCover',
  body: new FormData(),
});
const setText = new RestEndpoint({
  path: '/api/texts/:id',
  method: 'PUT',
  name: 'setText',
  body: new Blob(),
});

const rename = new RestEndpoint({
  path: '/api/titles/:id',
  method: 'PATCH',
  name: 'rename',
  body: { title: '' },
});

const problems: (readonly [string, string])[] = [];
const box = outbox({
  endpoints: [setCover, setText, rename],
  onError: ({ code, message }) => problems.push([code, message]),
});
const reach = reachability({ delay: () => Infinity });
const controller = new Controller({ plugins: [indexedDB({ name: 'upload' }), box, reach] });

const upload: UploadWindow['upload'] = {
  async send() {
    const form = new FormData();
    form.append('title', 'Cover');
    form.append('file', new File(['<svg/>'], 'cover.svg', { type: 'image/svg+xml' }));
    await controller.fetch(setCover, { id: '1' }, form);
    await controller.fetch(setText, { id: '1' }, new Blob(['# Text'], { type: 'text/markdown' }));
  },
  async rename(title) {
    await controller.fetch(rename, { id: '1' }, { title });
  },
  async sendText() {
    const text = new Blob(['# Text'], { type: 'text/markdown' });
    return controller.fetch(setText, { id: '1' }, text).then(() => undefined, String);
  },
  problems: () => problems,
  async again() {
    await reach.probe();
    return box.drain();
  },
  state: () => [controller.environment.isOnline, navigator.onLine, box.status.get().pending.length],
};

await controller.ready;
Object.assign(window, { upload });
