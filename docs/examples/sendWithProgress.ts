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
      request.onload = () => {
        const { status, responseText: body } = request;
        const type = request.getResponseHeader('Content-Type') ?? '';
        const response = new Response(status === 204 ? null : body, {
          status,
          headers: { 'Content-Type': type },
        });
        if (response.ok) resolve(response);
        else reject(new NetworkError(response, { url, method, body }));
      };
      request.onerror = () =>
        reject(new NetworkError('No connection', { status: 0, url, method }));
      init.signal?.addEventListener('abort', () => {
        request.abort();
        reject(init.signal?.reason as Error);
      });
      request.send(init.body as FormData);
    });
