import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from './ApiError.mjs';

/**
 * @typedef {object} TokenState
 * @property {string} secret the key that signs them
 * @property {number} issued how many there are
 * @property {number} revokedUpTo the number of the last one that is not valid any more
 */

/** Issues and checks the JSON Web Tokens (RFC 7519, HS256) that requests carry as `Authorization: Token …`. */
export class Tokens {
  #state;
  #now;

  /**
   * @param {TokenState} state kept by the caller, so that tokens survive a restart
   * @param {() => number} [now] ms since the epoch
   */
  constructor(state, now = Date.now) {
    this.#state = state;
    this.#now = now;
  }

  /** Makes every token that has been issued so far invalid. */
  expireAll() {
    this.#state.revokedUpTo = this.#state.issued;
  }

  /**
   * @param {number} userId
   * @param {number} lifetime seconds; 0 never ends
   */
  issue(userId, lifetime) {
    const payload = {
      sub: userId,
      nr: (this.#state.issued += 1),
      ...(lifetime > 0 && { exp: this.#now() / 1000 + lifetime }),
    };
    const unsigned = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}`;
    return `${unsigned}.${this.#sign(unsigned)}`;
  }

  /**
   * @param {string | undefined} header `Authorization`
   * @returns {number | undefined} the id of the user; undefined where there is no token
   * @throws ApiError 401 when the token is not valid, or not any more
   */
  userOf(header) {
    if (header === undefined) return undefined;
    const [scheme, token = ''] = header.split(' ');
    const [head, body = '', signature = ''] = token.split('.');
    if (scheme !== 'Token' || !isSame(signature, this.#sign(`${head}.${body}`)))
      throw new ApiError(401, { token: ['is not valid'] });
    const { sub, nr, exp } = JSON.parse(Buffer.from(body, 'base64url').toString());
    if (nr <= this.#state.revokedUpTo || (exp !== undefined && exp <= this.#now() / 1000))
      throw new ApiError(401, { token: ['has expired'] });
    return sub;
  }

  /** @param {string} text */
  #sign(text) {
    return createHmac('sha256', this.#state.secret).update(text).digest('base64url');
  }
}

/** @param {object} value */
function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * @param {string} left
 * @param {string} right
 */
function isSame(left, right) {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}
