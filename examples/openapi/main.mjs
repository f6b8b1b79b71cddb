import { createServer } from 'node:http';
import { createServer as createVite } from 'vite';
import { api } from '../api.mjs';

const server = createServer(api).listen(0);
await new Promise((resolve) => server.on('listening', resolve));
process.env.VITE_API = `http://localhost:${server.address().port}/api`;

const vite = await createVite({
  root: import.meta.dirname,
  appType: 'custom',
  server: { middlewareMode: true, ws: false },
});
await vite.ssrLoadModule('/main.ts');

await vite.close();
server.close();
