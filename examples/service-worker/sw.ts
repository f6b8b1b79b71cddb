import { Controller, createResource, Entity, NetworkError } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';

class Task extends Entity {
  id = '';
  title = '';
  done = false;

  static override key = 'Task';
}
const getTasks = createResource({
  path: '/api/tasks/:id',
  schema: Task,
  dataExpiryLength: 10_000,
}).getList;

const controller = new Controller({ plugins: [indexedDB({ name: 'tasks', persist: 'all' })] });

async function answer(): Promise<Response> {
  try {
    const tasks = await controller.fetchIfStale(getTasks);
    return Response.json(tasks);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    // Whatever is there is better than nothing.
    const { data } = controller.getResponse(getTasks);
    return data === undefined ? Response.error() : Response.json(data);
  }
}

/** The members of a service worker's events that are used here; the library of types for pages lacks them. */
interface WorkerEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(done: Promise<unknown>): void;
}
declare const skipWaiting: () => Promise<void>;
declare const clients: { claim(): Promise<void> };

addEventListener('install', () => void skipWaiting());
addEventListener('activate', (event) => (event as WorkerEvent).waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  const { request } = event as WorkerEvent;
  if (request.method !== 'GET' || new URL(request.url).pathname !== '/api/tasks') return;
  (event as WorkerEvent).respondWith(answer());
  // The worker may be stopped at any time after this.
  (event as WorkerEvent).waitUntil(controller.flush());
});
