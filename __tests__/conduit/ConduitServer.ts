import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess, type ServerProcess } from '../demo/serverProcess.ts';

/** A request as the server's log has it. */
export interface Logged {
  readonly method: string;
  readonly path: string;
  readonly user: string | null;
  readonly key: string | null;
  readonly body?: unknown;
  readonly status: number;
  readonly fault?: string;
  readonly replayed?: boolean;
}

/** The server of the example as a process of its own, which can be killed and started again with the same data. */
export class ConduitServer {
  /** With the prefix of the API. */
  url = '';
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'holdfast-conduit-'));
  #port = 0;
  #process: ServerProcess | undefined;

  async start(...flags: string[]): Promise<void> {
    this.#process = await startProcess('examples/conduit/server.mjs', [
      ...['--port', String(this.#port), '--data', path.join(this.#folder, 'conduit.json')],
      ...flags,
    ]);
    this.url = this.#process.url;
    this.#port = this.#process.port;
  }

  async stop(): Promise<void> {
    await this.#process?.stop('SIGKILL');
  }

  /** Starts it with the data of the seed. */
  async startFresh(): Promise<void> {
    rmSync(path.join(this.#folder, 'conduit.json'), { force: true });
    await this.start();
  }

  /** Stops it and deletes its data. */
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Changes settings while it runs. */
  async change(settings: object): Promise<void> {
    await this.#control({ method: 'PATCH', body: JSON.stringify(settings) });
  }

  /** The requests since it was started, or since `change({ clearLog: true })`. */
  async log(): Promise<readonly Logged[]> {
    return (await this.#control({})).log;
  }

  /** Those that were carried out and may have changed something: `POST /articles 201`. */
  async mutations(): Promise<string[]> {
    const log = await this.log();
    return log
      .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
      .map(({ method, path: asked, status }) => `${method} ${asked} ${status}`);
  }

  /** Sends a request as another user, without Holdfast. */
  async ask(method: string, asked: string, token?: string, body?: object): Promise<unknown> {
    const response = await fetch(this.url + asked, {
      method,
      headers: token === undefined ? {} : { Authorization: `Token ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  }

  /** The token of one of the people of the seed. */
  async tokenOf(username: string): Promise<string> {
    const user = { email: `${username}@example.com`, password: 'password' };
    const answer = (await this.ask('POST', '/users/login', undefined, { user })) as {
      user: { token: string };
    };
    return answer.user.token;
  }

  async #control(init: RequestInit): Promise<{ log: readonly Logged[] }> {
    const response = await fetch(this.url.replace('/api', '/control'), init);
    return (await response.json()) as { log: readonly Logged[] };
  }
}
