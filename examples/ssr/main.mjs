import { createServer } from 'node:http';
import { createServer as createVite } from 'vite';
import { api } from '../api.mjs';

process.env.PORT ??= '3000';

const vite = await createVite({
  root: import.meta.dirname,
  appType: 'custom',
  server: { middlewareMode: true },
});

/** The page, for whatever neither the REST server nor Vite answers. */
async function page(response) {
  try {
    const { render } = await vite.ssrLoadModule('/server.tsx');
    render(response);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}

createServer((request, response) => {
  void api(request, response, () => {
    vite.middlewares(request, response, () => void page(response));
  });
}).listen(Number(process.env.PORT), () => {
  console.log(`http://localhost:${process.env.PORT}`);
});
