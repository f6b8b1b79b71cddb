import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Reserves a data file for this server, since two servers would overwrite each other's changes. The lock is a local
 * socket: it ends with its process, however that ends.
 *
 * @param {string} file
 * @returns {Promise<() => Promise<void>>} releases it
 * @throws Error if another server has it
 */
export async function lockData(file) {
  const id = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 24);
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\holdfast-${id}` : join(tmpdir(), `holdfast-${id}.sock`);
  let release = await listen(address);
  if (release === undefined && !(await answers(address))) {
    // A server that was killed leaves its socket behind.
    await rm(address, { force: true });
    release = await listen(address);
  }
  if (release === undefined) {
    throw new Error(
      `Another server uses ${file}. Stop that one, or give this one a file of its own: --data FILE`,
    );
  }
  return release;
}

/**
 * @param {string} address
 * @returns {Promise<(() => Promise<void>) | undefined>} stops listening; undefined if the address is taken
 */
function listen(address) {
  return new Promise((done, failed) => {
    const server = createServer((socket) => socket.end());
    server.unref();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') done(undefined);
      else failed(error);
    });
    server.listen(address, () => done(() => new Promise((closed) => server.close(() => closed(undefined)))));
  });
}

/**
 * @param {string} address
 * @returns {Promise<boolean>} whether a server listens there
 */
function answers(address) {
  return new Promise((done) => {
    const socket = connect(address, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}
