/**
 * What the rules of reads and mutations give, in the simplest form: versions in maps, replayed from the start.
 * Knows nothing of how Holdfast does it.
 */

export type Fields = Readonly<Record<string, unknown>>;
type Kind = 'read' | 'mutation';

/** What a request or the app has said, and when: all times are steps of the model. */
interface Said {
  readonly kind: Kind;
  readonly began: number;
  readonly ended: number;
}
interface Row extends Said {
  /** Undefined: deleted. */
  readonly fields: Fields | undefined;
}
interface Result extends Said {
  /** Ids, or a plain value; undefined when there was none yet. */
  readonly value: unknown;
  readonly error?: Failure;
  readonly isInvalid?: boolean;
}
export interface Failure {
  /** Of the response; 0 without a connection, undefined where the request was aborted. */
  readonly status: number | undefined;
}
/** A request. Mutations have no key to be shared by. */
export interface Request {
  readonly kind: Kind;
  readonly key: string;
  readonly began: number;
  readonly generation: number;
  readonly epoch: number;
  /** What the mutation shows until it is answered, given the row that it finds; the same row to show nothing. */
  readonly shows?: {
    readonly id: string;
    readonly change: (found: Fields | undefined) => Fields | undefined;
  };
  isAnswered: boolean;
}
/** What an answer says: rows by id (undefined: deleted), and the result of a read. */
export interface Answer {
  readonly rows: Readonly<Record<string, Fields | undefined>>;
  readonly value?: unknown;
}

export class RaceModel {
  readonly requests: Request[] = [];
  #rows = new Map<string, Row>();
  #results = new Map<string, Result>();
  #shared = new Map<string, Request>();
  /** Reads that have been answered with what a pending mutation has deleted. */
  #hidden = new Set<Request>();
  #generation = 0;
  #epoch = 0;
  #time = 0;

  /** A read joins one of its key that began since the last mutation ended. */
  read(key: string): void {
    if (this.#shared.get(key)?.generation === this.#generation) return;
    this.#shared.set(key, this.#begin({ kind: 'read', key }));
  }

  mutate(shows?: Request['shows']): void {
    this.#begin({ kind: 'mutation', key: '', ...(shows && { shows }) });
  }

  answer(request: Request, { rows, value }: Answer): void {
    if (!this.#end(request)) return;
    const said = { kind: request.kind, began: request.began, ended: ++this.#time };
    for (const [id, fields] of Object.entries(rows)) this.#writeRow(id, { ...said, fields });
    if (request.kind === 'mutation') {
      this.#showHidden(request);
    } else {
      this.#writeResult(request.key, { ...said, value });
      this.#show(request);
    }
  }

  fail(request: Request, error: Failure): void {
    if (!this.#end(request)) return;
    if (request.kind === 'mutation') {
      this.#showHidden(request);
      return;
    }
    this.#leave(request);
    // That a refresh was given up says nothing of what there is.
    if (error.status === undefined && this.#hasData(request.key)) return;
    const said = { kind: request.kind, began: request.began, ended: ++this.#time };
    this.#writeResult(request.key, { value: undefined, ...this.#results.get(request.key), ...said, error });
  }

  set(id: string, fields: Fields): void {
    const now = ++this.#time;
    this.#writeRow(id, { kind: 'mutation', began: now, ended: now, fields });
  }

  invalidate(key: string): void {
    const now = ++this.#time;
    this.#shared.delete(key);
    const value = this.#results.get(key)?.value;
    this.#results.set(key, { kind: 'mutation', began: now, ended: now, value, isInvalid: true });
  }

  reset(): void {
    this.#epoch += 1;
    this.#generation += 1;
    for (const known of [this.#rows, this.#results, this.#shared, this.#hidden]) known.clear();
  }

  /** What is on screen of a row: every pending mutation that has not been deleted over, in order, over what is confirmed. */
  row(id: string): Fields | undefined {
    const stored = this.#rows.get(id);
    const deleted = stored !== undefined && stored.fields === undefined ? stored.began : 0;
    return this.requests
      .filter(({ isAnswered, epoch, began }) => !isAnswered && epoch === this.#epoch && began > deleted)
      .reduce((found, { shows }) => (shows?.id === id ? shows.change(found) : found), stored?.fields);
  }

  /** What is on screen of a read; undefined where it has nothing to show. */
  result(key: string): unknown {
    const [asked, id = ''] = key.split(' ');
    const result = this.#results.get(key);
    if (result?.isInvalid === true) return undefined;
    const { status } = result?.error ?? { status: 0 };
    if (status === undefined || (status > 0 && status < 500)) return undefined;
    if (asked === 'get') return this.row(id);
    const value = result?.value;
    if (asked !== 'list' || value === undefined) return value;
    return (value as readonly string[]).map((member) => this.row(member)).filter((row) => row !== undefined);
  }

  /** Whether there is something to show of a read, but for errors. */
  #hasData(key: string): boolean {
    const [asked, id = ''] = key.split(' ');
    const result = this.#results.get(key);
    if (result?.isInvalid === true) return false;
    return asked === 'get' ? this.row(id) !== undefined : result?.value !== undefined;
  }

  #begin(request: Pick<Request, 'kind' | 'key' | 'shows'>): Request {
    const [generation, epoch] = [this.#generation, this.#epoch];
    const begun: Request = { ...request, began: ++this.#time, generation, epoch, isAnswered: false };
    this.requests.push(begun);
    return begun;
  }

  /** Nothing that began before a reset counts. */
  #end(request: Request): boolean {
    request.isAnswered = true;
    if (request.epoch !== this.#epoch) return false;
    if (request.kind === 'mutation') this.#generation += 1;
    return true;
  }

  #leave(request: Request): void {
    if (this.#shared.get(request.key) === request) this.#shared.delete(request.key);
  }

  /**
   * The response of a read. A row that was deleted since is requested again, and a row that a mutation hides is waited
   * for. A response from before an invalidation is returned unchanged, unless the read had to wait.
   */
  #show(request: Request): void {
    const [asked, id = ''] = request.key.split(' ');
    const hasWaited = this.#hidden.delete(request);
    const isInvalid = this.#results.get(request.key)?.isInvalid === true;
    const isThere = asked !== 'get' || (this.row(id) !== undefined && !(hasWaited && isInvalid));
    const isConfirmed = !isInvalid && this.#rows.get(id)?.fields;
    if (!isThere && isConfirmed) return void this.#hidden.add(request);
    this.#leave(request);
    if (!isThere) this.read(request.key);
  }

  #showHidden({ shows }: Request): void {
    if (shows === undefined) return;
    for (const request of [...this.#hidden]) this.#show(request);
  }

  #writeRow(id: string, said: Row): void {
    const stored = this.#rows.get(id);
    if (stored === undefined) this.#rows.set(id, said);
    else if (isOlder(said, stored)) {
      if (stored.fields === undefined || said.fields === undefined) return;
      this.#rows.set(id, { ...stored, fields: { ...said.fields, ...stored.fields } });
    } else {
      const isWhole = stored.fields === undefined || said.fields === undefined;
      this.#rows.set(id, isWhole ? said : { ...said, fields: { ...stored.fields, ...said.fields } });
    }
  }

  #writeResult(key: string, said: Result): void {
    const stored = this.#results.get(key);
    if (stored === undefined || !isOlder(said, stored)) this.#results.set(key, said);
  }
}

/** Like against like: the later start wins. A mutation beats a read that it was answered after the beginning of. */
function isOlder(said: Said, stored: Said): boolean {
  if (said.kind === stored.kind) return said.began < stored.began;
  return said.kind === 'read' ? said.began < stored.ended : said.ended < stored.began;
}
