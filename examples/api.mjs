const tasks = [
  { id: '1', title: 'Splice the halyard', done: false },
  { id: '2', title: 'Scrub the deck', done: true },
  { id: '3', title: 'Check the anchor', done: false },
];

/**
 * A REST server for `/api/tasks` and `/api/tasks/:id`, as a middleware of Node's `http`: other requests are passed on.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {() => void} [next]
 */
export async function api(request, response, next = () => response.writeHead(404).end()) {
  const [, root, name, id] = (request.url ?? '').split('/');
  if (root !== 'api' || name !== 'tasks') return next();
  let answer = id === undefined ? tasks : tasks.find((task) => task.id === id);
  if (request.method === 'PATCH' && id !== undefined && answer !== undefined) {
    let body = '';
    for await (const part of request) body += part;
    Object.assign(answer, JSON.parse(body));
  }
  response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(answer ?? { message: 'Not found' }));
}
