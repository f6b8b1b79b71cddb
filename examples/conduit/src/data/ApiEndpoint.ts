import { RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { needsSignIn } from './problems.ts';
import { currentSession } from './session.ts';

/** Where the API is. The build and the tests name another one. */
export const server = { url: 'http://localhost:8091/api' };

/** What all endpoints of this API have in common: where it is, and the token. */
export class ApiEndpoint<const O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override get urlPrefix(): string {
    return server.url;
  }

  override getHeaders(headers: Record<string, string>): Record<string, string> {
    const token = currentSession()?.token;
    return token === undefined ? headers : { ...headers, Authorization: `Token ${token}` };
  }

  /** What is on the device stays readable for somebody who has to sign in again. */
  override errorPolicy(error: Error): 'soft' | undefined {
    return needsSignIn(error) ? 'soft' : undefined;
  }
}
