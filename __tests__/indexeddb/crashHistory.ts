import { expect } from '@jest/globals';

/** What is stored, by name: notes, lists and records of another plugin. Immutable. */
export type Model = Readonly<Record<string, unknown>>;

export const LISTS = ['x', 'y'];

/**
 * Every state that memory has had since the last that is known to be on disk. The disk has to hold one of them, but for
 * what the browser has lost: of that, it may hold less, or an earlier version.
 */
export class History {
  #states: Model[] = [{}];
  #durable = 0;
  /** Names of which the disk may hold less. */
  readonly #lost = new Set<string>();
  /** Of those, what memory held in full as it was lost. */
  readonly #held = new Set<string>();
  /** Rows that memory has yet to write again, since the database was deleted. */
  readonly #unwritten = new Set<string>();
  /** What each name has stood for. */
  readonly #past = new Map<string, unknown[]>();

  get now(): Model {
    return this.#states.at(-1) ?? {};
  }

  add(change: Model): void {
    this.#states.push({ ...this.now, ...change });
    this.#remember(change);
  }

  /** Every row is read as one of this version of the app. */
  update(version: number): void {
    this.#states = this.#states.map((state) =>
      Object.fromEntries(
        Object.entries(state).map(([name, value]) => [
          name,
          name.startsWith('Note') && value !== 'deleted' ? { ...(value as object), version } : value, // a note
        ]),
      ),
    );
  }

  clear(): void {
    this.#states.push({});
  }

  /** What was there before is gone for good. */
  cleared(): void {
    this.#lost.clear();
    this.#held.clear();
    this.#unwritten.clear();
    this.#past.clear();
    this.#remember(this.now);
  }

  /** Call what it returns when all of what is now is durable. */
  promise(): () => void {
    const place = this.#states.length - 1;
    const states = this.#states;
    return () => {
      if (states === this.#states) this.#durable = Math.max(this.#durable, place);
    };
  }

  /**
   * The browser has lost what held these names.
   *
   * @param isHeld - whether memory holds all that was on disk
   */
  lose(names: Iterable<string>, isHeld: boolean): void {
    for (const name of names) {
      if (isHeld && !this.#lost.has(name)) this.#held.add(name);
      if (!isHeld) this.#held.delete(name);
      this.#lost.add(name);
    }
  }

  /**
   * The browser has deleted the database. Memory is written again, perhaps after a batch that was under way.
   *
   * @param isRunning - whether there is a process that may do so
   * @param isHeld - whether its memory holds all that was on disk
   * @param entries - records of the other plugin that it knows
   */
  vanish(isRunning: boolean, isHeld: boolean, entries: readonly string[]): void {
    const names = Object.keys(this.now);
    // What a list names is known once it is shown.
    const lists = names.filter((name) => name.startsWith('list '));
    const rows = names.filter((name) => name.startsWith('Note '));
    this.lose(isHeld ? lists : [...lists, ...rows], isHeld);
    const unknown = names.filter(
      (name) => name.startsWith('side ') && !entries.includes(name.slice('side '.length)),
    );
    this.lose(unknown, false);
    if (isRunning && isHeld) for (const name of rows) this.#unwritten.add(name);
    this.#states = isRunning ? [{}, this.now] : [{}];
    this.#durable = 0;
  }

  /** All of memory has been written since the database was deleted. */
  rewritten(): void {
    this.#unwritten.clear();
  }

  /** Memory has been written again where it was lost. */
  rescued(): void {
    for (const name of this.#held) this.#lost.delete(name);
    this.#held.clear();
  }

  /**
   * Records what the disk turned out to contain.
   *
   * @param mayLack - whether something may have been evicted
   * @param mayLackFields - also rows that memory did not hold, and of which fields were set afterwards
   */
  found(model: Model, mayLack: boolean, mayLackFields = false): void {
    const states = this.#states.slice(this.#durable);
    const isPossible = states.some((state) => this.#agree(model, state, { mayLack, mayLackFields }));
    if (!isPossible) expect({ model, lost: [...this.#lost] }).toEqual({ model: states, lost: [] });
    this.#states = [model];
    this.#durable = 0;
    this.#lost.clear();
    this.#held.clear();
    this.#unwritten.clear();
    this.#remember(model);
  }

  #agree(
    model: Model,
    state: Model,
    { mayLack, mayLackFields }: { readonly mayLack: boolean; readonly mayLackFields: boolean },
  ): boolean {
    const listed = listedIn(model);
    return Object.keys({ ...state, ...model }).every((name) => {
      if (JSON.stringify(model[name]) === JSON.stringify(state[name])) return true;
      if (this.#lost.has(name)) return this.#isLeft(name, model[name]);
      if (this.#unwritten.has(name) && model[name] === undefined) return true;
      // An invalidated result shows nothing, so what it has named does not matter.
      if (isInvalidated(model[name]) && isInvalidated(state[name])) return true;
      if (mayLackFields && name.startsWith('Note ') && isPart(model[name], state[name])) return true;
      const mayGo = name.startsWith('list ') || (name.startsWith('Note ') && state[name] !== 'deleted');
      return mayLack && model[name] === undefined && mayGo && !listed.includes(name.slice('Note '.length));
    });
  }

  /** Whether something may be left of a name that was lost: nothing, or parts that it had. */
  #isLeft(name: string, value: unknown): boolean {
    // In an outbox, false says that there was something.
    if (value === undefined || value === false) return true;
    const past = this.#past.get(name) ?? [];
    if (typeof value !== 'object') return past.includes(value);
    const had = (field: string, part: unknown): boolean =>
      past.some((before) => JSON.stringify((before as Model | undefined)?.[field]) === JSON.stringify(part)); // or no object
    return Object.entries(value as Model).every(
      ([field, part]) => part === undefined || field === 'version' || had(field, part),
    );
  }

  #remember(change: Model): void {
    for (const [name, value] of Object.entries(change))
      this.#past.set(name, [...(this.#past.get(name) ?? []), value]);
  }
}

function isInvalidated(list: unknown): boolean {
  return (list as Model | undefined)?.['invalidated'] === true; // or a row
}

/** Whether each field of a row is one of the other. */
function isPart(row: unknown, of: unknown): boolean {
  if (typeof row !== 'object' || typeof of !== 'object') return false;
  return Object.entries(row as Model).every(([field, value]) => (of as Model)[field] === value);
}

/** The rows that a list names. One that is invalidated is asked for again before it is shown, and with it its rows. */
function listedIn(model: Model): string[] {
  return LISTS.flatMap((list) => {
    const found = model[`list ${list}`] as { pks?: string[]; invalidated?: boolean } | undefined; // as `onDisk` made it
    return found?.invalidated === true ? [] : (found?.pks ?? []);
  });
}
