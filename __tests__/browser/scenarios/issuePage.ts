import { IssueResource, newController } from './sharedIssues.ts';

/** A page that has its service worker fetch, and reads from disk. */
const issues = {
  async prefetch(id: string): Promise<string> {
    await navigator.serviceWorker.register('/issueWorker.js', { type: 'module' });
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise<string>((resolve) => {
      port1.onmessage = ({ data }) => resolve(data as string); // what the worker posts
    });
    active?.postMessage(id, [port2]);
    return answered;
  },
  async read(id: string): Promise<string> {
    const controller = newController();
    const { title } = await controller.fetchIfStale(IssueResource.get, { id });
    await controller.stop();
    return title;
  },
};
export type IssueWindow = Window & { issues: typeof issues };
(window as unknown as IssueWindow).issues = issues; // the test's own
