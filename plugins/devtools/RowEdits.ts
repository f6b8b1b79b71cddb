import { Endpoint, Entity, type Controller } from 'holdfast';

/** The fields of an edited row that differ from the stored ones. */
type Fields = Readonly<Record<string, unknown>>;

interface Edit {
  readonly fields: Fields;
  readonly undo: () => void;
}

/**
 * Rows that were edited in the inspector. An edit is an optimistic change that is never sent: the app shows it, and
 * neither the stored row nor the disk has it. It ends when it is undone, when the controller is reset, and with the
 * page.
 */
export class RowEdits {
  readonly #edits = new Map<string, Edit>();
  /** Endpoints that stand for an edit. */
  readonly #endpoints = new WeakSet<object>();

  /** Whether a request stands for an edit: nothing is to be sent. */
  isEdit(endpoint: object): boolean {
    return this.#endpoints.has(endpoint);
  }

  has(table: string, pk: string): boolean {
    return this.#edits.has(keyOf(table, pk));
  }

  /** Shows a row with other values of some fields, also of those edited before. */
  show(controller: Controller, table: string, pk: string, changed: Fields): void {
    const key = keyOf(table, pk);
    const before = this.#edits.get(key);
    const fields = { ...before?.fields, ...changed };
    let undo = (): void => undefined;
    const undone = new Promise<never>((_, reject) => (undo = () => reject(new Error('The edit was undone'))));
    const endpoint = new Endpoint(async () => undone, {
      name: 'edit in the inspector',
      schema: rowClass(table, pk),
      sideEffect: true,
      getOptimisticResponse: () => fields,
    });
    this.#endpoints.add(endpoint);
    const edit = { fields, undo };
    this.#edits.set(key, edit);
    controller.fetch(endpoint).catch(() => {
      // A later edit of the row has taken its place.
      if (this.#edits.get(key) === edit) this.#edits.delete(key);
    });
    before?.undo();
  }

  undo(table: string, pk: string): void {
    this.#edits.get(keyOf(table, pk))?.undo();
  }

  /** After a reset, which has removed all optimistic changes. */
  clear(): void {
    for (const edit of [...this.#edits.values()]) edit.undo();
    this.#edits.clear();
  }
}

function keyOf(table: string, pk: string): string {
  return JSON.stringify([table, pk]);
}

/** A class of the table that knows one row: the app's own class is known to the app alone. */
function rowClass(table: string, ownPk: string): typeof Entity {
  return class EditedRow extends Entity {
    static override key = table;
    override pk(): string {
      return ownPk;
    }
  };
}
