import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { describeInBrowser, newProfile, open } from '../browsers.ts';
import type { SentAll } from '../scenarios/killedQueue.ts';
import { serve, type Site } from '../serve.ts';

const KILLS = Number(process.env.KILLS ?? 4);

/**
 * A server of notes that honors idempotency keys, and drops every other mutation while it is busy: some before, some
 * after it has executed them.
 */
class DroppingServer {
  isBusy = true;
  /** Whether it drops all requests for notes. */
  isDown = false;
  readonly notes: { readonly id: string; text: string }[] = [];
  /** The texts of notes that a page was told are kept. */
  readonly kept = new Set<string>();
  /** The same for their edits. */
  readonly edited = new Set<string>();
  onSent: (report: SentAll) => void = () => undefined;
  readonly #answers = new Map<unknown, string>();
  #requests = 0;

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method, headers } = request;
    const [, what, name = ''] = url.split('/');
    const body = await text(request);
    if (what === 'kept' || what === 'edited') this[what].add(name);
    if (what === 'sent') this.onSent(JSON.parse(body) as SentAll); // as the page sends it
    if (what !== 'notes') return void response.writeHead(204).end();
    response.setHeader('content-type', 'application/json');
    if (method === 'GET') return void response.end(JSON.stringify(this.notes));
    this.#requests += 1;
    if (this.isDown || (this.isBusy && this.#requests % 4 === 0)) return void request.socket.destroy();
    const key = headers['idempotency-key'];
    const answer = this.#answers.get(key) ?? this.#execute(name, body);
    this.#answers.set(key, answer);
    if (this.isBusy && this.#requests % 4 === 2) return void request.socket.destroy();
    response.end(answer);
  }

  #execute(id: string, body: string): string {
    const sent = JSON.parse(body) as { text: string }; // a note
    let note = this.notes.find((known) => known.id === id);
    if (note === undefined) this.notes.push((note = { id: `n${this.notes.length}`, text: '' }));
    note.text = sent.text;
    return JSON.stringify(note);
  }
}

describeInBrowser('a browser that is killed while the outbox queues and sends', () => {
  let site: Site;
  const server = new DroppingServer();
  beforeAll(async () => {
    const scripts = { killedQueue: path.join(__dirname, '../scenarios/killedQueue.ts') };
    site = await serve(scripts, (request, response) => void server.respond(request, response));
  });
  afterAll(async () => {
    await site.close();
  });

  it('each mutation whose fetch has resolved is executed once, and the last page shows what the server has', async () => {
    const profile = newProfile();
    for (let kill = 0; kill < KILLS; kill++) {
      const before = server.kept.size;
      const browser = await open(profile, `${site.origin}/killedQueue`);
      try {
        while (server.kept.size === before) await pause(5);
        await pause(Math.random() * 1_000);
        // What is kept from here on waits in the outbox when the browser dies.
        server.isDown = true;
        const { size } = server.kept;
        while (server.kept.size < size + 3) await pause(5);
      } finally {
        await browser.kill();
        server.isDown = false;
      }
    }
    server.isBusy = false;
    const sent = new Promise<SentAll>((resolve) => (server.onSent = resolve));
    const browser = await open(profile, `${site.origin}/killedQueue?send`);
    try {
      const { waiting, texts, errors } = await sent;
      expect(waiting).toBeGreaterThan(0);
      expect(errors).toEqual([]);
      const executed = server.notes.map((note) => note.text);
      expect([...texts].sort()).toEqual([...executed].sort());
      const names = executed.map((note) => note.split(' ')[0]!);
      expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
      expect([...server.kept].filter((name) => !names.includes(name))).toEqual([]);
      expect([...server.edited].filter((name) => !executed.includes(`${name} edited`))).toEqual([]);
    } finally {
      await browser.kill();
    }
  });
});
