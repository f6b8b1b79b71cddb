import type { Controller } from '../controller/Controller.ts';
import { StateChunks } from './StateChunks.ts';

/** What React's `pipe` needs of a Node stream, such as a server's response. */
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
 * For `renderToPipeableStream`: the response with the controller's data written in between, so that each boundary of
 * the streamed page finds its data when it hydrates. Read by `streamedState` in the page.
 *
 * React writes whole elements, then flushes; only then is anything put in between. Give the result to `pipe` directly:
 * what stands between the two, such as a compressing stream, would hide the flushes, and belongs behind it.
 *
 * @param response - every other use of the result goes to it
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
        // React goes on when the response tells that it has drained.
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
    // Around what is only gathered.
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
