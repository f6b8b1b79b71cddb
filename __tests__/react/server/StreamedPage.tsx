import { expect } from '@jest/globals';
import { act, waitFor } from '@testing-library/react';
import { Controller, stateWritable, streamedState } from 'holdfast';
import { DataProvider } from 'holdfast/react';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers';
import type { ReactElement, ReactNode } from 'react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToPipeableStream } from 'react-dom/server';

// React's server for Node asks for it; jsdom has none.
globalThis.setImmediate = setImmediate;

/** A page that a server streams, of which the document gets as much as the test says, and when. */
export class StreamedPage {
  readonly server = new Controller();
  /** What React found amiss in the page. */
  readonly trouble: string[] = [];
  /** What the server's React reported. */
  readonly serverErrors: unknown[] = [];
  readonly container: HTMLElement = document.body.appendChild(document.createElement('div'));
  readonly #app: ReactNode;
  readonly #abort: (reason?: unknown) => void;
  #sent = '';
  #isEnded = false;
  #onData: () => void = () => undefined;
  #isShell = true;
  #state: DocumentReadyState = 'loading';
  #root: Root | undefined;
  #controller: Controller | undefined;

  constructor(app: ReactNode) {
    this.#app = app;
    Object.defineProperty(document, 'readyState', { configurable: true, get: () => this.#state });
    const wire = new PassThrough();
    wire.on('data', (chunk: Buffer) => {
      this.#sent += chunk.toString();
      this.#onData();
    });
    wire.on('end', () => {
      this.#isEnded = true;
      this.#onData();
    });
    const { pipe, abort } = renderToPipeableStream(this.#in(this.server), {
      onShellReady: () => pipe(stateWritable(this.server, wire)),
      onError: (error) => void this.serverErrors.push(error),
    });
    this.#abort = abort;
  }
  /** The controller of the page, which hydrates. */
  get controller(): Controller {
    if (this.#controller === undefined) throw new Error('The page does not hydrate yet');
    return this.#controller;
  }

  /** What a reader sees. */
  get text(): string {
    return this.container.textContent;
  }

  abort(): void {
    this.#abort(new Error('took too long'));
  }

  /** Waits until the server has sent this, or all there is, and lets what has been sent arrive as in a browser. */
  async arrives(text?: string): Promise<void> {
    await act(async () => {
      while (text === undefined ? !this.#isEnded : !this.#sent.includes(text))
        await new Promise<void>((tell) => (this.#onData = tell));
      const part = document.createElement('template');
      part.innerHTML = this.#sent;
      this.#sent = '';
      for (const node of [...part.content.childNodes]) {
        const isScript = node instanceof HTMLScriptElement;
        if (isScript) this.#isShell = false;
        if (this.#isShell) this.container.append(node);
        else document.body.append(isScript ? runnable(node) : node);
      }
      if (this.#isEnded) this.#is('complete');
    });
  }

  /** Begins to hydrate what has arrived. */
  async hydrates(): Promise<void> {
    this.#controller = new Controller({ initialState: await streamedState() });
    await act(async () => {
      this.#root = hydrateRoot(this.container, this.#in(this.controller), {
        onRecoverableError: (error) => void this.trouble.push(String(error)),
      });
    });
  }

  /** Waits until this is what a reader sees. */
  async shows(text: string): Promise<void> {
    await waitFor(() => expect(this.text).toBe(text), { timeout: 60_000 });
  }

  close(): void {
    act(() => this.#root?.unmount());
    this.#is('complete');
    Reflect.deleteProperty(document, 'readyState');
    document.body.replaceChildren();
  }

  #is(state: DocumentReadyState): void {
    this.#state = state;
    document.dispatchEvent(new Event('readystatechange'));
  }

  #in(controller: Controller): ReactElement {
    // In an element, as a Suspense boundary at the root might bring `<html>`, which React would wait for.
    return (
      <DataProvider controller={controller}>
        <main>{this.#app}</main>
      </DataProvider>
    );
  }
}

/** Scripts that were parsed as a template's content do not run. */
function runnable(parsed: HTMLScriptElement): HTMLScriptElement {
  const script = document.createElement('script');
  for (const { name, value } of parsed.attributes) script.setAttribute(name, value);
  script.textContent = parsed.textContent;
  return script;
}
