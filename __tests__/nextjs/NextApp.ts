import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { api, articles } from '../../examples/nextjs/api.mjs';
import { freePort, Terminal } from '../examples/Terminal.ts';

const root = path.join(__dirname, '../..');
const original = structuredClone(articles);

/** Installs what the example needs, with the library as it is packed. */
export async function install(): Promise<void> {
  await new Terminal(root).run('node examples/nextjs/install.mjs');
}

const env = { NEXT_TELEMETRY_DISABLED: '1' };

/** An app with these files (their contents by path), which uses the packages of the example, while `use` runs in it. */
async function inApp<T>(
  files: Readonly<Record<string, string>>,
  use: (terminal: Terminal) => Promise<T>,
): Promise<T> {
  // Inside the example: Turbopack follows no link that leads out of its root.
  const folder = path.join(root, 'examples/nextjs/.temporary');
  const terminal = new Terminal(folder);
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    return await use(terminal);
  } finally {
    await terminal.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const next = (command: string): string => `node ../node_modules/next/dist/bin/next ${command}`;

/**
 * Builds an app with these files.
 *
 * @param files - their contents by path
 * @returns the code that browsers load, in one text
 * @throws Error with all that Next.js has printed, when the build fails
 */
export const build = (files: Readonly<Record<string, string>>): Promise<string> =>
  inApp(files, async (terminal) => {
    await terminal.run(next('build'), env);
    const folder = path.join(root, 'examples/nextjs/.temporary/.next/static');
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    );
    return scripts.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  });

/**
 * Opens the first page of an app with these files, as its developer does.
 *
 * @returns the code that the page loads, in one text
 */
export const develop = (files: Readonly<Record<string, string>>): Promise<string> =>
  inApp(files, async (terminal) => {
    const url = `http://localhost:${await freePort()}`;
    await terminal.start(next(`dev --port ${new URL(url).port}`), url, env);
    const page = await (await fetch(url)).text();
    const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].flatMap(([, src]) => src ?? []);
    const codes = scripts.map(async (src) => (await fetch(new URL(src, url))).text());
    return (await Promise.all(codes)).join('\n');
  });

/** The built example, its REST server, and a list of the requests that reach that. */
export class NextApp {
  /** Such as `GET /articles`, each with who sent it. */
  readonly requests: { readonly line: string; readonly from: 'server' | 'browser' }[] = [];
  url = '';
  readonly #terminal = new Terminal(root);
  #server: Server | undefined;
  /** Settles when Next.js may get its answers. */
  #held: Promise<void> = Promise.resolve();

  /** Builds and starts it. */
  async start(variables: Record<string, string>): Promise<void> {
    const server = createServer((request, response) => {
      const from = request.headers.origin === undefined ? 'server' : 'browser';
      if (request.method !== 'OPTIONS')
        this.requests.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, from });
      // The answer is what the server had when it was asked, whenever it is sent.
      if (from === 'server') {
        const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
        response.end = (body?: unknown) => {
          void this.#held.then(() => end(body));
          return response;
        };
      }
      void api(request, response);
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
    const ownPort = await freePort();
    this.url = `http://localhost:${ownPort}`;
    const command = `node examples/nextjs/main.mjs --port ${ownPort} --api http://localhost:${port}`;
    await this.#terminal.start(command, this.url, variables);
  }

  /** What the browser has asked the REST server for. */
  get browserRequests(): string[] {
    return this.requests.filter(({ from }) => from === 'browser').map(({ line }) => line);
  }

  get serverRequests(): string[] {
    return this.requests.filter(({ from }) => from === 'server').map(({ line }) => line);
  }

  /** Changes an article on the server. */
  change(id: string, fields: Partial<(typeof articles)[number]>): void {
    Object.assign(articles.find((article) => article.id === id) ?? {}, fields);
  }

  /** Holds back what the REST server answers Next.js, until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  /** As at the beginning. */
  reset(): void {
    for (const [index, article] of original.entries()) articles[index] = structuredClone(article);
    this.requests.length = 0;
  }

  /** Ends Next.js and the REST server. */
  async stop(): Promise<void> {
    await this.#terminal.close();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined));
  }
}

/** A page, and what it and React complain of. */
export interface Tab {
  readonly page: Page;
  readonly complaints: string[];
}

export async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('[holdfast]')) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Waits until React has taken over what matches. */
export async function hydrated(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const element = document.querySelector(wanted);
    return element !== null && Object.keys(element).some((name) => name.startsWith('__reactProps'));
  }, selector);
}
