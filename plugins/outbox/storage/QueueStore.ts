import type { AnyPlugin, Controller, SideRecords } from 'holdfast';

/** Persists records. */
export interface QueueStore {
  /** Every record. */
  read(): Promise<SideRecords>;
  /**
   * Resolves when these and all earlier records are durable. Undefined deletes a record.
   *
   * @throws if they are not durable
   */
  write(records: SideRecords): Promise<void>;
}

/**
 * Stores records with the storage plugin, in the transaction of the commit that carries them: a response is stored
 * and its entry removed together or not at all.
 */
export class SideRecordStore implements QueueStore {
  readonly #controller: Controller;
  readonly #storage: AnyPlugin;
  readonly #name: string;

  /** @param name - the plugin that owns the records */
  constructor(controller: Controller, storage: AnyPlugin, name: string) {
    this.#controller = controller;
    this.#storage = storage;
    this.#name = name;
  }

  async read(): Promise<SideRecords> {
    return (await this.#storage.side?.(this.#name)) ?? [];
  }

  /** The commit has already passed them on. */
  async write(): Promise<void> {
    try {
      await this.#controller.flush();
    } catch (error) {
      // Other errors concern rows that were left out.
      if ((error as { readonly code?: unknown } | undefined)?.code === 'HF_STORAGE') throw error;
    }
  }
}
