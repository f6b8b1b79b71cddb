import type { RestEndpointOptions } from 'holdfast';
import { ApiEndpoint } from './ApiEndpoint.ts';
import type { Account } from './session.ts';

/** The account is no part of the store: its token must not reach the disk with the articles. */
class AccountEndpoint<const O extends RestEndpointOptions> extends ApiEndpoint<O> {
  override getRequestInit(body?: unknown) {
    return super.getRequestInit({ user: body });
  }
}

const process = (value: unknown): Account => (value as { user: Account }).user; // as the API answers

/** A user who signs in has no token yet, or one that is no longer accepted. */
const getHeaders = (headers: Record<string, string>): Record<string, string> => headers;

export const signIn = new AccountEndpoint({
  path: '/users/login',
  body: {} as { email: string; password: string },
  process,
  getHeaders,
});

export const signUp = new AccountEndpoint({
  path: '/users',
  body: {} as { username: string; email: string; password: string },
  process,
  getHeaders,
});

const changes: { username?: string; email?: string; password?: string; bio?: string; image?: string } = {};

export const changeAccount = new AccountEndpoint({
  path: '/user',
  method: 'PUT',
  body: changes,
  process,
});
