import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Controller, Delete, Endpoint, Entity, type EndpointInterface, type Schema } from 'holdfast';
import { Held, settled, StatusError } from '../support/held.ts';
import { RaceModel, type Fields } from './raceModel.ts';
import { runs } from '../support/runs.ts';

class NoteWithVotes extends Entity {
  id = '';
  text = '';
  votes = 0;
  static override key = 'Note';
}

/** How many sequences are tried: more while the core is worked on. */
const RUNS = runs(300);
const IDS = ['a', 'b', 'c'];
const READS = [...IDS.map((id) => `get ${id}`), 'list', 'label'];

type Step =
  | { readonly do: 'read' | 'invalidate'; readonly key: string }
  | {
      readonly do: 'save' | 'vote' | 'remove' | 'set';
      readonly id: string;
      readonly isOptimistic: boolean;
      readonly text: string;
    }
  | {
      readonly do: 'answer';
      readonly nth: number;
      readonly text: string;
      readonly members: readonly string[];
    }
  | { readonly do: 'fail'; readonly nth: number; readonly status: number | undefined }
  | { readonly do: 'reset' }
  | { readonly do: 'wait'; readonly ms: number };

const id = fc.constantFrom(...IDS);
const text = fc.constantFrom('x', 'y', 'z');
const nth = fc.nat({ max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('read' as const), key: fc.constantFrom(...READS) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('save' as const, 'vote' as const, 'remove' as const),
      id,
      isOptimistic: fc.boolean(),
      text,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('answer' as const), nth, text, members: fc.subarray(IDS) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      nth,
      status: fc.constantFrom(0, 401, 404, 503, undefined),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('set' as const), id, isOptimistic: fc.boolean(), text }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('invalidate' as const), key: fc.constantFrom(...READS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
  // A clock that jumps back does no harm.
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: -2_000, max: 2_000 }) }),
  },
);

/** What a pending deletion hides is invalidated, and shown again by something else, before the deletion is answered. */
const INVALIDATED_WHILE_HIDDEN: Step[] = [
  { do: 'remove', id: 'a', isOptimistic: true, text: 'x' },
  { do: 'read', key: 'get a' },
  { do: 'answer', nth: 1, text: 'x', members: [] },
  { do: 'invalidate', key: 'get a' },
  { do: 'set', id: 'a', isOptimistic: false, text: 'y' },
];

/** What is shown is what is confirmed, though one mutation is expected to change that, and another one to change it back. */
const CHANGED_AND_CHANGED_BACK: Step[] = [
  { do: 'set', id: 'a', isOptimistic: false, text: 'x' },
  { do: 'save', id: 'a', isOptimistic: true, text: 'y' },
  { do: 'save', id: 'a', isOptimistic: true, text: 'x' },
  { do: 'fail', nth: 0, status: 0 },
  { do: 'fail', nth: 0, status: 0 },
];

/** The same, where it is confirmed only when both are pending. */
const CONFIRMED_WHILE_CHANGED: Step[] = [
  { do: 'set', id: 'a', isOptimistic: false, text: 'x' },
  { do: 'save', id: 'a', isOptimistic: true, text: 'y' },
  { do: 'vote', id: 'a', isOptimistic: true, text: 'x' },
  { do: 'save', id: 'a', isOptimistic: true, text: 'x' },
  { do: 'answer', nth: 1, text: 'x', members: [] },
  { do: 'answer', nth: 0, text: 'x', members: [] },
  { do: 'fail', nth: 0, status: 0 },
];

/** A controller whose server responds when the test says so, and the model that it must agree with. */
class Race {
  readonly #server = new Held();
  readonly #model = new RaceModel();
  #unsettled = 0;
  #now = 1_000_000;
  readonly #controller = new Controller({ now: () => this.#now });
  /** What was on screen after the step before. */
  #shown = new Map<string, { readonly expected: unknown; readonly given: unknown }>();

  readonly #get = this.#endpoint('get', NoteWithVotes);
  readonly #list = this.#endpoint('list', [NoteWithVotes]);
  readonly #label = this.#endpoint('label', undefined);
  readonly #save = this.#endpoint('save', NoteWithVotes).extend({ sideEffect: true });
  readonly #remove = this.#endpoint('remove', new Delete(NoteWithVotes)).extend({ sideEffect: true });
  readonly #vote = this.#endpoint('vote', NoteWithVotes).extend({
    sideEffect: true,
    getOptimisticResponse(snapshot, params: Fields) {
      const note = snapshot.get(NoteWithVotes, params);
      if (note === undefined) throw snapshot.abort;
      return { id: note.id, votes: note.votes + 1 };
    },
  });

  #endpoint(name: string, schema: Schema) {
    return new Endpoint((...args: Fields[]) => this.#server.fetch(name, ...args), { name, schema });
  }

  async take(step: Step): Promise<void> {
    const model = this.#model;
    switch (step.do) {
      case 'read':
        model.read(step.key);
        this.#fetch(...this.#read(step.key));
        break;
      case 'invalidate':
        model.invalidate(step.key);
        this.#controller.invalidate(...this.#read(step.key)); // its args
        break;
      case 'save':
      case 'vote':
      case 'remove':
        this.#mutate(step);
        break;
      case 'set':
        model.set(step.id, { id: step.id, text: step.text });
        this.#controller.set(NoteWithVotes, { id: step.id }, { text: step.text });
        break;
      case 'answer':
      case 'fail':
        await this.#end(step);
        break;
      case 'reset':
        model.reset();
        await this.#controller.reset();
        break;
      case 'wait':
        this.#now += step.ms;
    }
    await settled();
    this.#compare();
  }

  /** Answers all that is under way; every promise must have settled then. */
  async finish(): Promise<void> {
    while (this.#pending().length > 0) await this.take({ do: 'answer', nth: 0, text: 'x', members: IDS });
    expect(this.#unsettled).toBe(0);
  }

  #read(key: string): [EndpointInterface, ...Fields[]] {
    const [name, id = ''] = key.split(' ');
    return name === 'get' ? [this.#get, { id }] : [name === 'list' ? this.#list : this.#label];
  }

  #fetch(endpoint: EndpointInterface, ...args: readonly Fields[]): void {
    const settles = (): void => void (this.#unsettled -= 1);
    this.#unsettled += 1;
    this.#controller.fetch(endpoint, ...args).then(settles, settles);
  }

  #mutate({ do: name, id, isOptimistic, text }: Extract<Step, { readonly isOptimistic: boolean }>): void {
    const saved = { id, ...(name === 'save' && { text }) };
    if (name === 'vote') {
      this.#model.mutate({
        id,
        change: (found) => found && { ...found, votes: Number(found['votes'] ?? 0) + 1 },
      });
      this.#fetch(this.#vote, { id });
      return;
    }
    this.#model.mutate(
      isOptimistic
        ? { id, change: (found) => (name === 'save' ? { ...found, ...saved } : undefined) }
        : undefined,
    );
    const endpoint = name === 'save' ? this.#save : this.#remove;
    this.#fetch(isOptimistic ? endpoint.extend({ getOptimisticResponse: () => saved }) : endpoint, { id });
  }

  #pending(): number[] {
    return this.#model.requests.flatMap(({ isAnswered }, index) => (isAnswered ? [] : [index]));
  }

  async #end(step: Extract<Step, { readonly nth: number }>): Promise<void> {
    const pending = this.#pending();
    const index = pending[step.nth % pending.length];
    const request = index === undefined ? undefined : this.#model.requests[index];
    if (index === undefined || request === undefined) return;
    const { args, resolve, reject } = this.#server.call(index);
    if (step.do === 'fail') {
      this.#model.fail(request, { status: step.status });
      reject(step.status === undefined ? AbortSignal.abort().reason : new StatusError(step.status));
      return;
    }
    const [name, params] = args as [string, Fields?];
    const id = String(params?.['id']);
    const { text } = step;
    const one = name === 'vote' ? { id, votes: text.charCodeAt(0) } : { id, text };
    const list = step.members.map((member) => ({ id: member, text }));
    if (name === 'label') {
      this.#model.answer(request, { rows: {}, value: text });
      resolve(text);
    } else if (name === 'list') {
      this.#model.answer(request, {
        rows: Object.fromEntries(list.map((row) => [row.id, row])),
        value: step.members,
      });
      resolve(list);
    } else if (name === 'get') {
      const row = { ...one, votes: 7 };
      this.#model.answer(request, { rows: { [id]: row }, value: id });
      resolve(row);
    } else {
      this.#model.answer(request, { rows: { [id]: name === 'remove' ? undefined : one } });
      resolve(one);
    }
    await settled();
  }

  #compare(): void {
    const shown = new Map<string, { readonly expected: unknown; readonly given: unknown }>();
    const notes = new Set<unknown>();
    for (const id of IDS) {
      const given = this.#controller.get(NoteWithVotes, { id });
      if (given !== undefined) notes.add(given);
      shown.set(id, { expected: this.#model.row(id), given });
    }
    for (const key of READS) {
      const given: unknown = this.#controller.getResponse(
        ...this.#read(key), // its args
      ).data;
      // One object for a note, wherever it is read.
      for (const note of Array.isArray(given) ? given : [given])
        if (note instanceof NoteWithVotes) expect(notes.has(note)).toBe(true);
      shown.set(key, { expected: this.#model.result(key), given });
    }
    const [given, expected] = ['given' as const, 'expected' as const].map((side) =>
      [...shown].map(([key, values]) => `${key}: ${JSON.stringify(withDefaults(values[side]))}`).join('\n'),
    );
    expect(given).toBe(expected);
    for (const [key, { expected, given }] of shown) {
      const before = this.#shown.get(key);
      // What nothing has happened to is the same object as before.
      if (before !== undefined && JSON.stringify(before.expected) === JSON.stringify(expected))
        expect(given).toBe(before.given);
    }
    expect(this.#server.calls).toHaveLength(this.#model.requests.length);
    this.#shown = shown;
  }
}

/** With every field of a note, in one order. */
function withDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDefaults);
  return typeof value === 'object' ? { id: '', text: '', votes: 0, ...value } : value;
}

describe('random orders of reads, mutations, responses, failures, aborts, invalidations and resets', () => {
  it('any order of events follows the rules, with one object per note and one request per generation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const race = new Race();
        for (const step of steps) await race.take(step);
        await race.finish();
      }),
      {
        numRuns: RUNS,
        examples: [[INVALIDATED_WHILE_HIDDEN], [CHANGED_AND_CHANGED_BACK], [CONFIRMED_WHILE_CHANGED]],
      },
    );
  }, 600_000);
});
