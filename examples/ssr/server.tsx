import { Controller, stateWritable } from 'holdfast';
import type { ServerResponse } from 'node:http';
import { renderToPipeableStream } from 'react-dom/server';
import { Page } from './page.tsx';

/** Answers a request with the page. */
export function render(response: ServerResponse): void {
  const controller = new Controller(); // one for each request: users do not see each other's data
  const { pipe, abort } = renderToPipeableStream(<Page controller={controller} />, {
    bootstrapModules: ['/client.tsx'],
    onShellReady() {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      pipe(stateWritable(controller, response));
    },
    onShellError: () => response.writeHead(500).end(),
  });
  response.on('close', () => {
    abort(); // does nothing when all has been sent
    void controller.stop();
  });
}
