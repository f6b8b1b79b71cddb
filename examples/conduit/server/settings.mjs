/**
 * How the server treats its clients: each a flag of `server.mjs`, and changed later by `PATCH /control`.
 *
 * @typedef {object} Settings
 * @property {number} latency ms before each answer
 * @property {number} errors share of requests (0 to 1) that get a 503 instead
 * @property {number} dropBefore share whose connection ends before anything is done
 * @property {number} dropAfter share that is carried out, and whose connection then ends without an answer
 * @property {number} hang share that is never answered
 * @property {boolean} portal whether every request gets a login page of HTML, as behind a captive portal
 * @property {number} tokenLifetime seconds until a token expires; 0 for never
 * @property {boolean} cors whether pages of other origins may use it at all
 * @property {string} corsHeaders the headers that they may send
 * @property {boolean} idempotency whether a request with an `Idempotency-Key` that it knows gets the same answer again
 * @property {boolean} listBodies whether lists of articles have their bodies
 * @property {readonly Fault[]} next what happens to the next requests that fit, each once
 *
 * @typedef {object} Fault
 * @property {Kind} kind
 * @property {string} [method]
 * @property {string} [path] its beginning
 *
 * @typedef {'error' | 'dropBefore' | 'dropAfter' | 'hang' | 'portal'} Kind
 */

/** @type {Settings} */
export const defaults = {
  latency: 0,
  errors: 0,
  dropBefore: 0,
  dropAfter: 0,
  hang: 0,
  portal: false,
  tokenLifetime: 0,
  cors: true,
  corsHeaders: 'Content-Type, Authorization, Idempotency-Key',
  idempotency: true,
  listBodies: false,
  next: [],
};

/**
 * What is to go wrong with a request.
 *
 * @param {Settings} settings
 * @param {string} method
 * @param {string} path
 * @param {() => number} random
 * @returns {Kind | undefined}
 */
export function faultOf(settings, method, path, random = Math.random) {
  const planned = settings.next.find(
    (fault) => (fault.method === undefined || fault.method === method) && path.startsWith(fault.path ?? ''),
  );
  if (planned !== undefined) {
    settings.next = settings.next.filter((fault) => fault !== planned);
    return planned.kind;
  }
  if (settings.portal) return 'portal';
  if (random() < settings.dropBefore) return 'dropBefore';
  if (random() < settings.hang) return 'hang';
  if (random() < settings.errors) return 'error';
  if (random() < settings.dropAfter) return 'dropAfter';
  return undefined;
}
