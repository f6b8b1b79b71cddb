import type { Controller } from '../controller/Controller.ts';
import { StateChunks } from './StateChunks.ts';

/**
 * For `renderToReadableStream`: its stream with the controller's data inserted, so that each boundary of the streamed
 * page finds its data when it hydrates. `streamedState` reads it in the page.
 *
 * React writes whole elements at once. Chunks are read as fast as they come, and data is inserted only after a turn
 * of the event loop without further chunks. Pass it React's stream directly, not one that was piped through others.
 *
 * @example
 * async function answer() {
 *   const controller = new Controller(); // one for each request
 *   const html = await renderToReadableStream(<App controller={controller} />);
 *   const headers = { 'content-type': 'text/html' };
 *   return new Response(stateReadable(controller, html), { headers });
 * }
 */
export function stateReadable(
  controller: Controller,
  html: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const chunks = new StateChunks(controller);
  const encoder = new TextEncoder();
  const reader = html.getReader();
  let part: Uint8Array[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (out: ReadableStreamDefaultController<Uint8Array>): void => {
    clearTimeout(timer);
    timer = undefined;
    const written = part;
    part = [];
    if (written.length === 0) return;
    for (const chunk of chunks.around(written))
      out.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
  };
  const pump = async (out: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        part.push(next.value);
        timer ??= setTimeout(() => {
          flush(out);
        });
      }
      flush(out);
      out.close();
    } catch (error) {
      clearTimeout(timer);
      out.error(error);
    }
  };
  return new ReadableStream<Uint8Array>({
    start(out) {
      void pump(out);
    },
    async cancel(reason) {
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  });
}
