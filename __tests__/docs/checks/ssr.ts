import { Controller, deserialize, serialize } from 'holdfast';
import { equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ArticleResource } from '../../../docs/examples/prelude.tsx';
import { server } from '../../../docs/examples/ssrServer.tsx';

// The server streams a page with its data. (A browser hydrates it in __tests__/browser.)
await once(server.listen(0), 'listening');
const { port } = server.address() as AddressInfo; // it listens to a port
const html = await (await fetch(`http://localhost:${port}/`)).text();
ok(html.includes('<h2>Kelp</h2>'));
ok(html.includes('data-holdfast-state'));
server.close();
server.closeAllConnections();

// Without streaming, the page begins with what the server had.
const controller = new Controller();
await controller.fetch(ArticleResource.get, { id: '1' });
const page = new Controller({ initialState: deserialize(serialize(controller)) });
equal(page.getResponse(ArticleResource.get, { id: '1' }).data?.title, 'Kelp');
