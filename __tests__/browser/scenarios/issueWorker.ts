import { IssueResource, newController } from './sharedIssues.ts';

/** A service worker that fetches and stores what its pages will want. */

interface WorkerMessage {
  readonly data: string;
  readonly ports: readonly MessagePort[];
  waitUntil(done: Promise<unknown>): void;
}
const worker = self as unknown as {
  addEventListener(type: 'message', listener: (message: WorkerMessage) => void): void;
}; // the DOM's types know no service worker

const controller = newController();

async function prefetch(id: string): Promise<string> {
  const issue = await controller.fetch(IssueResource.get, { id });
  // A worker may be stopped at any time: what is not on disk by then is gone.
  await controller.flush();
  return issue.title;
}

worker.addEventListener('message', (message) => {
  const answer = (text: string): void => message.ports[0]?.postMessage(text);
  message.waitUntil(prefetch(message.data).then(answer, (error: unknown) => answer(String(error))));
});
