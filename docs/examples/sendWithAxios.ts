/** What is needed of an instance of axios. */
interface Axios {
  request(config: object): Promise<{
    readonly status: number;
    readonly data: ArrayBuffer;
    readonly headers: object;
  }>;
}

/** `fetchResponse` of endpoints whose requests axios sends. */
export const sendWithAxios =
  (axios: Axios) =>
  async (url: string, init: RequestInit): Promise<Response> => {
    const { status, data, headers } = await axios.request({
      url,
      method: init.method,
      headers: Object.fromEntries(new Headers(init.headers)),
      data: init.body,
      signal: init.signal,
      responseType: 'arraybuffer',
      validateStatus: () => true, // Holdfast checks the status
    });
    return new Response(data.byteLength > 0 ? data : null, {
      status,
      headers: Object.entries(headers) as [string, string][], // in browsers
    });
  };
