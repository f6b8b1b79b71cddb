import { RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { settled } from './held.ts';

/** A request that the test answers. */
export interface Sent {
  readonly what: string;
  readonly body: unknown;
  answer(value: unknown): Promise<void>;
  fail(): Promise<void>;
}

/** The requests of the current test, in order. */
export const sent: Sent[] = [];

/** An endpoint whose requests wait until the test answers them. */
export class Manual<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      sent.push({
        what: `${this.method} ${url}`,
        body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body,
        async answer(value) {
          resolve(value === undefined ? new Response(null, { status: 204 }) : Response.json(value));
          for (let turn = 0; turn < 5; turn++) await settled();
        },
        async fail() {
          reject(new Error('refused'));
          for (let turn = 0; turn < 5; turn++) await settled();
        },
      });
    });
  }
}

/** The nth request, once it has been sent. */
export async function request(nth = 0): Promise<Sent> {
  for (let turn = 0; turn < 50 && sent[nth] === undefined; turn++) await settled();
  const found = sent[nth];
  if (found === undefined) throw new Error(`There were only ${sent.length} requests`);
  return found;
}

/** A promise whose rejection does not have to be handled. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
