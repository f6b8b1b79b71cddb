import type { Controller, Plugin, SideRecords } from 'holdfast';
import type { Keeper } from './Keeper.ts';

/**
 * Keeps records with the storage plugin, which writes what commits carry beside their rows: an answer is stored and its
 * entry removed together or not at all.
 */
export class SideKeeper implements Keeper {
  readonly #controller: Controller;
  readonly #storage: Plugin;
  readonly #name: string;

  /** @param name - of the plugin whose records they are */
  constructor(controller: Controller, storage: Plugin, name: string) {
    this.#controller = controller;
    this.#storage = storage;
    this.#name = name;
  }

  async read(): Promise<SideRecords> {
    return (await this.#storage.side?.(this.#name)) ?? [];
  }

  /** The commit that carried them has been made. */
  async write(): Promise<void> {
    try {
      await this.#controller.flush();
    } catch (error) {
      // Anything else is about rows that were left out.
      if ((error as { readonly code?: unknown } | undefined)?.code === 'HF_STORAGE') throw error;
    }
  }

  async close(): Promise<void> {
    // The storage plugin is stopped too.
  }
}
