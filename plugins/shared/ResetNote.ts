import { withLocalStorage } from './withLocalStorage.ts';

/**
 * Notes in `localStorage` that a database is to be cleared. For a reset that is called before the database is open, as by
 * a page that only logs out and navigates: the mark in the database would be too late.
 */
export class ResetNote {
  readonly #item: string;

  /** @param database - name of the database */
  constructor(database: string) {
    this.#item = JSON.stringify(['holdfast', 'reset', database]);
  }

  /** The note; empty if there is none. */
  get text(): string {
    let text = '';
    withLocalStorage((storage) => {
      text = storage.getItem(this.#item) ?? '';
    });
    return text;
  }

  write(text: string): void {
    withLocalStorage((storage) => storage.setItem(this.#item, text));
  }

  delete(): void {
    withLocalStorage((storage) => storage.removeItem(this.#item));
  }
}
