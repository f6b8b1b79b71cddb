import { RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { needsSignIn } from './problems.ts';
import { currentSession, expire } from './session.ts';

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

  /** Any request may be the first to learn that the token is not accepted any more. */
  override async fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const token = currentSession()?.token;
    try {
      return await super.fetchResponse(url, init);
    } catch (error) {
      if (needsSignIn(error)) expire(token);
      throw error;
    }
  }

  /** Data on the device stays readable for a user who has to sign in again. */
  override errorPolicy(error: Error): 'soft' | undefined {
    return needsSignIn(error) ? 'soft' : undefined;
  }
}
