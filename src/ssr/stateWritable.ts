import type { Controller } from '../controller/Controller.ts';
import { StateChunks } from './StateChunks.ts';

/** The members of a Node stream, such as a server's response, that React's `pipe` needs. */
export interface HtmlWritable {
  write(chunk: string | Uint8Array): boolean;
  end(): unknown;
  cork?(): void;
  uncork?(): void;
  flush?(): void;
  readonly writableNeedDrain?: boolean;
  readonly destroyed?: boolean;
}

/**
 * For `renderToPipeableStream`: the response with the controller's data inserted, so that each boundary of the
 * streamed page finds its data when it hydrates. `streamedState` reads it in the page.
 *
 * React writes whole elements, then flushes; data is inserted only then. Pass the result to `pipe` directly: a stream
 * between the two, such as a compressing one, would hide the flushes, and must come after it.
 *
 * @param response - every other use of the result is forwarded to it
 * @example
 * const controller = new Controller(); // one for each request
 * const { pipe } = renderToPipeableStream(<App controller={controller} />, {
 *   onShellReady: () => pipe(stateWritable(controller, response)),
 * });
 */
export function stateWritable<W extends HtmlWritable>(controller: Controller, response: W): W {
  const chunks = new StateChunks(controller);
  let part: (string | Uint8Array)[] = [];

  const flush = (): void => {
    const written = part;
    part = [];
    if (written.length === 0 || response.destroyed === true) return;
    response.cork?.();
    for (const chunk of chunks.around(written)) response.write(chunk);
    response.uncork?.();
    response.flush?.();
  };
  const own = new Map<PropertyKey, unknown>([
    ['flush', flush],
    [
      'write',
      (chunk: string | Uint8Array): boolean => {
        part.push(chunk);
        // React continues when the response emits `drain`.
        return response.writableNeedDrain !== true;
      },
    ],
    [
      'end',
      (): unknown => {
        flush();
        return response.end();
      },
    ],
    // For chunks that are only collected.
    ['cork', () => undefined],
    ['uncork', () => undefined],
  ]);
  return new Proxy(response, {
    get(target, name) {
      if (own.has(name)) return own.get(name);
      const value: unknown = Reflect.get(target, name);
      // Streams keep state on themselves, so `this` must be the stream.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}
