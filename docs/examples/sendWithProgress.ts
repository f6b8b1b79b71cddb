import { NetworkError } from 'holdfast';

/** `fetchResponse` of an endpoint that shows its progress, from 0 to 1. */
export const sendWithProgress =
  (show: (share: number) => void) =>
  (url: string, { method = 'GET', ...init }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      init.signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(init.headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) => show(loaded / total);
      request.responseType = 'arraybuffer';
      request.onload = () => {
        const { status } = request;
        const body = request.response as ArrayBuffer;
        const lines = request
          .getAllResponseHeaders()
          .matchAll(/^(.+?):(.*)$/gm);
        const headers = [...lines].map(
          ([, name = '', value = '']) =>
            [name, value.trim()] as [string, string],
        );
        // Holdfast checks the status.
        resolve(
          new Response(body.byteLength > 0 ? body : null, { status, headers }),
        );
      };
      request.onerror = () =>
        reject(new NetworkError('No connection', { status: 0, url, method }));
      init.signal?.addEventListener('abort', () => {
        request.abort();
        reject(init.signal?.reason as Error);
      });
      request.send(init.body as FormData);
    });
