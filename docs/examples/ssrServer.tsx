import { Controller, stateWritable } from 'holdfast';
import { createServer } from 'node:http';
import { renderToPipeableStream } from 'react-dom/server';
import { ArticlePage } from './ssrPage.tsx';

export const server = createServer((request, response) => {
  // One per request: no user sees the data of another.
  const controller = new Controller();
  const { pipe, abort } = renderToPipeableStream(
    <ArticlePage controller={controller} />,
    {
      bootstrapModules: ['/client.js'],
      onShellReady() {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        pipe(stateWritable(controller, response));
      },
      onShellError: () => response.writeHead(500).end(),
    },
  );
  response.on('close', () => {
    abort(); // does nothing if everything has been sent
    void controller.stop();
  });
});
