import {
  Controller,
  createResource,
  Entity,
  logout,
  RestEndpoint,
  type HoldfastError,
  type RestEndpointOptions,
  type Unsent,
} from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { tabs } from 'holdfast/tabs';
import { OutboxPluginImpl } from '../../plugins/outbox/outbox.ts';
import type { DeviceLocks } from '../outbox/MortalPage.ts';
import { settled } from '../support/held.ts';
import type { Device } from '../support/outbox.ts';
import type { Note, User } from './SessionServer.ts';

const ORIGIN = 'https://example.com';

/** What the pages of one device share. */
export interface SessionDevice {
  readonly device: Device;
  readonly locks: DeviceLocks;
  readonly setting: SessionSetting;
  readonly currentUser: () => User | undefined;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
  readonly onError: (error: HoldfastError) => void;
}

/** How the app is made. */
export interface SessionSetting {
  /** Whether users have databases and queues of their own, share one that a log-out empties, or only one uses the device. */
  readonly users: 'scoped' | 'shared' | 'single';
  /** Whether the app logs out at any 401. */
  readonly hasLogout: boolean;
  /** Whether the outbox knows by `init` if somebody is signed in, instead of by a 401. */
  readonly hasInit: boolean;
  /** Whether requests end when they are aborted. */
  readonly honorsAbort: boolean;
}

/** A page of the app, opened while a user was signed in. */
export class SessionPage {
  readonly user: User;
  readonly controller: Controller;
  readonly #notes;
  #unmount: (() => void) | undefined;

  constructor(user: User, shared: SessionDevice, onLogout: (page: SessionPage) => void) {
    this.user = user;
    const { device, locks, setting, currentUser, send, onError } = shared;
    const { users, hasLogout, hasInit } = setting;
    const scope = users === 'scoped' ? { scope: user } : {};
    const unsent: Unsent = users === 'shared' ? 'discard' : 'keep';
    this.#notes = makeNotes((path, init) => {
      // Only the app can know for whom a read is: see "In other tabs" in docs/auth.md.
      if (users === 'scoped' && init.method === 'GET' && currentUser() !== user)
        return Promise.reject(new Error('Another person is signed in'));
      return send(path, init);
    });
    const box = {
      endpoints: [this.#notes],
      timeout: Infinity,
      random: () => 0.5,
      onError,
      ...scope,
      ...(users === 'scoped' && { currentScope: currentUser }),
      ...(hasInit && {
        init: () => {
          if (currentUser() === undefined) throw new Error('No user is signed in');
          return {};
        },
      }),
    };
    this.controller = new Controller({
      plugins: [
        ...(hasLogout ? [logout({ unsent, onLogout: () => onLogout(this) })] : []),
        indexedDB({ name: 'sessions', persist: 'all', onError, ...scope }),
        new OutboxPluginImpl(box, { locks }),
        tabs({ name: 'sessions', ...scope }),
      ],
      environment: device,
      schedule: device.schedule,
      now: () => device.now,
      gcTime: 1_000,
    });
  }

  /** What its list shows. */
  get notes(): readonly Note[] {
    return this.controller.getResponse(this.#notes.getList).data ?? [];
  }

  read(): void {
    ignore(this.controller.fetch(this.#notes.getList));
  }

  /** Mounts the list, or unmounts it. */
  toggle(): void {
    if (this.#unmount !== undefined) {
      this.#unmount();
      this.#unmount = undefined;
      return;
    }
    this.#unmount = this.controller.watch(this.#notes.getList, () => undefined);
    ignore(Promise.resolve(this.controller.fetchIfStale(this.#notes.getList)));
  }

  create(note: Partial<Note>): Promise<unknown> {
    return this.controller.fetch(this.#notes.getList.push, note);
  }

  edit({ id }: Note, text: string): Promise<unknown> {
    return this.controller.fetch(this.#notes.partialUpdate, { id }, { text });
  }

  remove({ id }: Note): Promise<unknown> {
    return this.controller.fetch(this.#notes.delete, { id });
  }

  async close(): Promise<void> {
    this.#unmount?.();
    await this.controller.stop();
    for (let turn = 0; turn < 5; turn++) await settled();
  }
}

/** Endpoints of their own for each page: a reload evaluates the modules again. */
function makeNotes(send: (url: string, init: RequestInit) => Promise<Response>) {
  class OwnedNote extends Entity {
    id = '';
    tag = '';
    text = '';
    static override key = 'Note';
  }
  class Sending<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return send(url.slice(ORIGIN.length), init);
    }
  }
  return createResource({
    urlPrefix: ORIGIN,
    path: '/notes/:id',
    schema: OwnedNote,
    optimistic: true,
    Endpoint: Sending,
    dataExpiryLength: 60_000,
  });
}

function ignore(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}
