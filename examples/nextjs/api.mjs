/** What the server has. */
export const articles = [
  { id: '1', title: 'Kelp', isPublished: false },
  { id: '2', title: 'Moss', isPublished: true },
  { id: '3', title: 'Fern', isPublished: false },
];

/**
 * A REST server for `/articles` and `/articles/:id`, which pages of other origins may use.
 *
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
export async function api(request, response) {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Headers', '*');
  response.setHeader('Access-Control-Allow-Methods', '*');
  if (request.method === 'OPTIONS') return response.end();
  const id = request.url?.split('/')[2];
  const answer =
    id === undefined ? articles : articles.find((article) => article.id === id);
  if (request.method === 'PATCH' && answer !== undefined) {
    let body = '';
    for await (const part of request) body += part;
    Object.assign(answer, JSON.parse(body));
  }
  response.writeHead(answer === undefined ? 404 : 200, {
    'Content-Type': 'application/json',
  });
  response.end(JSON.stringify(answer ?? { message: 'Not found' }));
}
