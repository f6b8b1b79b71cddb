/** Serves the built app, and the REST server of the examples. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { api } from '../api.mjs';

const dist = fileURLToPath(new URL('dist', import.meta.url));
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.webmanifest': 'application/manifest+json',
};
const port = Number(process.env.PORT ?? 3000);

createServer((request, response) => {
  void api(request, response, async () => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const wanted = path.join(dist, path.normalize(pathname));
    const file =
      path.extname(wanted) in types ? wanted : path.join(dist, 'index.html');
    try {
      const content = await readFile(file);
      response
        .setHeader('Content-Type', types[path.extname(file)])
        .end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
}).listen(port, () => console.log(`http://localhost:${port}`));
