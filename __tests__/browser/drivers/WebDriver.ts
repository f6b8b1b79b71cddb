import { spawn } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { PATIENCE } from './DrivenPage.ts';

interface Answer {
  readonly value: unknown;
}

/** A WebDriver process with one session (https://www.w3.org/TR/webdriver2/). Its calls are made one after the other. */
export class WebDriver {
  readonly #origin: string;
  readonly #end: () => void;
  #session = '';
  #last: Promise<unknown> = Promise.resolve();

  private constructor(origin: string, end: () => void) {
    this.#origin = origin;
    this.#end = end;
  }

  static async start(
    command: string,
    environment: NodeJS.ProcessEnv,
    capabilities: object,
  ): Promise<WebDriver> {
    const port = await freePort();
    const child = spawn(command, [`--port=${port}`], {
      // A process group of its own, so that the browser ends with it.
      detached: true,
      stdio: 'ignore',
      env: environment,
    });
    const end = (): void => {
      process.off('exit', end);
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    process.on('exit', end);
    const driver = new WebDriver(`http://127.0.0.1:${port}`, end);
    try {
      await driver.#begin(capabilities);
    } catch (error) {
      end();
      throw error;
    }
    return driver;
  }

  /**
   * Makes calls of which each needs the one before, such as choosing a window and then doing something in it: no other
   * call comes between.
   */
  inTurn<T>(calls: (call: Call) => Promise<T>): Promise<T> {
    const done = this.#last.then(() =>
      calls((method, path, body) => this.#call(method, this.#session + path, body)),
    );
    this.#last = done.catch(() => undefined);
    return done;
  }

  async quit(): Promise<void> {
    await this.inTurn((call) => call('DELETE', '')).catch(() => undefined);
    this.#end();
  }

  async #begin(capabilities: object): Promise<void> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      try {
        await this.#call('GET', '/status');
        break;
      } catch (error) {
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = (await this.#call('POST', '/session', body)) as { readonly sessionId: string }; // §8.1
    this.#session = `/session/${sessionId}`;
    await this.#call('POST', `${this.#session}/timeouts`, { script: PATIENCE, pageLoad: PATIENCE });
  }

  readonly #call: Call = async (method, path, body) => {
    const response = await fetch(this.#origin + path, {
      method,
      signal: AbortSignal.timeout(PATIENCE),
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    });
    const { value } = (await response.json()) as Answer; // §6.6
    if (!response.ok) {
      const { error, message } = value as { readonly error: string; readonly message: string }; // §6.6
      throw new Error(`${method} ${path}: ${error}, ${message}`);
    }
    return value;
  };
}

/** One call of the session; `path` begins after its address. */
export type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // it listens
      server.close(() => resolve(port));
    });
  });
}
