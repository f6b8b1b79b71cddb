const tasks = [
  { id: '1', text: 'Splice the halyard', isDone: false },
  { id: '2', text: 'Scrub the deck', isDone: true },
];
/** What was created, by the key that the outbox sends with each attempt: a repeated request creates nothing twice. */
const created = new Map();

async function bodyOf(request) {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text);
}

function create(body, key) {
  const task = created.get(key) ?? { isDone: false, ...body, id: String(tasks.length + 1) };
  if (!tasks.includes(task)) tasks.push(task);
  created.set(key, task);
  return task;
}

/** A REST server in memory, as a middleware for a path such as `/api/tasks`. Replace it by your own API. */
export async function api(request, response) {
  const [, id = ''] = request.url.split('/');
  let answer = id === '' ? tasks : tasks.find((task) => task.id === id);
  if (request.method === 'POST') answer = create(await bodyOf(request), request.headers['idempotency-key']);
  else if (request.method === 'PATCH' && answer !== undefined) Object.assign(answer, await bodyOf(request));
  response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(answer ?? { message: 'Not found' }));
}
