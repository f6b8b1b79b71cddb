import { createServer } from 'node:net';

/**
 * @param {number} from
 * @returns {Promise<number>} the first free port from there on
 */
export async function freePort(from) {
  for (let port = from; port < from + 50; port++) {
    if (await isFree(port)) return port;
  }
  throw new Error(`The ports ${from} to ${from + 49} are all in use.`);
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, 'localhost', () => server.close(() => resolve(true)));
  });
}
