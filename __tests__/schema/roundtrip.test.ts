import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Controller, Endpoint, Entity, type EntityClass, type Schema } from 'holdfast';
import { deepFreeze } from './deepFreeze.ts';

/**
 * Random worlds of entities, random responses that contain them, and a naive join by plain code: whatever comes of
 * Holdfast must be the same graph.
 */

/** What a field holds: one entity, a list, a plain object around one, a list of such, or a list of lists. */
type Kind = 'one' | 'many' | 'box' | 'boxes' | 'grid';

interface FieldSpec {
  readonly kind: Kind;
  /** The class of what it holds. */
  readonly target: number;
  /** Whether its default is an object, so that an entity without it is missing. */
  readonly required: boolean;
}

/** The number of an entity of the target class, or null. */
type Ref = number | null;

interface World {
  /** Each class with its fields. */
  readonly classes: readonly (readonly FieldSpec[])[];
  /** Class → entity → field → what it refers to. Some refer to entities that no response contains. */
  readonly rows: readonly (readonly (readonly (readonly Ref[])[])[])[];
  /** Decides, one after another, what a response spells out and what it only refers to. */
  readonly choices: readonly number[];
  /** What the response lists: class and entity. */
  readonly roots: readonly (readonly [of: number, entity: number])[];
}

const CLASSES = 3;
const ENTITIES = 4;

const ref = fc.option(fc.nat({ max: ENTITIES }), { freq: 6 });
const field: fc.Arbitrary<FieldSpec> = fc.record({
  kind: fc.constantFrom<Kind>('one', 'one', 'many', 'box', 'boxes', 'grid'),
  target: fc.nat({ max: CLASSES - 1 }),
  required: fc.boolean(),
});
const fields = fc.array(field, { maxLength: 3 });
const refs = fc.array(ref, { minLength: 1, maxLength: 3 });
const entityOfAll = fc.tuple(refs, refs, refs);
const world: fc.Arbitrary<World> = fc.record({
  classes: fc.tuple(fields, fields, fields),
  rows: fc.array(fc.array(entityOfAll, { minLength: ENTITIES, maxLength: ENTITIES }), {
    minLength: CLASSES,
    maxLength: CLASSES,
  }),
  choices: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 40 }),
  roots: fc.array(fc.tuple(fc.nat({ max: CLASSES - 1 }), fc.nat({ max: ENTITIES })), {
    minLength: 1,
    maxLength: 5,
  }),
});

const REQUIRED_DEFAULT = Object.freeze({ isDefault: true });

/** The classes of a world, whose schemas are assigned once all are there, as circular ones must be. */
function classesOf({ classes }: World): EntityClass[] {
  const made = classes.map((specs, index) => {
    class Made extends Entity {
      id = 0;
      title = 'default';
      static override key = `class${index}`;

      constructor() {
        super();
        specs.forEach(({ kind, required }, number) => {
          const fallback = kind === 'one' || kind === 'box' ? (required ? REQUIRED_DEFAULT : undefined) : [];
          Object.assign(this, { [`f${number}`]: fallback });
        });
      }
    }
    return Made;
  });
  classes.forEach((specs, index) => {
    made[index]!.schema = Object.fromEntries(
      specs.map(({ kind, target }, number) => [`f${number}`, schemaOf(kind, made[target]!)]),
    );
  });
  return made;
}

function schemaOf(kind: Kind, target: EntityClass): Schema {
  if (kind === 'one') return target;
  if (kind === 'many') return [target];
  if (kind === 'box') return { inner: target, note: '' };
  if (kind === 'boxes') return [{ inner: target, note: '' }];
  return [[target]];
}

/** Those of the refs of a field that its shape has room for. */
function shownBy(kind: Kind, members: readonly Ref[]): readonly Ref[] {
  return kind === 'one' || kind === 'box' ? members.slice(0, 1) : members;
}

/** Puts what refs stand for into the shape of a field. */
function shaped(kind: Kind, items: readonly unknown[]): unknown {
  if (kind === 'one') return items[0];
  if (kind === 'many') return items;
  if (kind === 'box') return { inner: items[0], note: 'n' };
  if (kind === 'boxes') return items.map((inner) => ({ inner, note: 'n' }));
  return [items, items.slice(1)];
}

/** Makes a response: each entity is spelled out, with some or all of its fields, or referred to by its pk. */
class Teller {
  /** The contents of the response: entity name → fields. */
  readonly told = new Map<string, Set<number>>();
  readonly #world: World;
  readonly #telling = new Set<string>();
  #next = 0;

  constructor(of: World) {
    this.#world = of;
  }

  tell(of: number, entity: Ref): unknown {
    if (entity === null) return null;
    const name = `${of}/${entity}`;
    const choice = this.#choose();
    if (entity >= ENTITIES || this.#telling.has(name) || choice < 2)
      return choice % 2 === 0 ? entity : String(entity);
    this.#telling.add(name);
    const told = this.told.get(name) ?? new Set<number>();
    this.told.set(name, told);
    const value: Record<string, unknown> = { id: entity, title: `title of ${name}` };
    this.#world.classes[of]!.forEach(({ kind, target }, number) => {
      if (this.#choose() === 9) return; // left out here
      told.add(number);
      const shown = shownBy(kind, this.#world.rows[of]![entity]![number]!);
      value[`f${number}`] = shaped(
        kind,
        shown.map((member) => this.tell(target, member)),
      );
    });
    this.#telling.delete(name);
    return value;
  }

  #choose(): number {
    const { choices } = this.#world;
    return choices[this.#next++ % choices.length]!;
  }
}

const GONE = Symbol('gone');

/** The naive join: which entities can be there at all, and what they look like. */
class NaiveJoin {
  /** Joined entities by name, as plain objects that may form cycles. */
  readonly joined = new Map<string, Record<string, unknown>>();
  readonly #world: World;
  readonly #told: ReadonlyMap<string, ReadonlySet<number>>;
  readonly #present: Set<string>;

  constructor(of: World, told: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#world = of;
    this.#told = told;
    // What a required field cannot show is not there, which others may require in turn.
    this.#present = new Set(told.keys());
    for (let size = -1; size !== this.#present.size;) {
      size = this.#present.size;
      for (const name of this.#present) if (this.#lacksRequired(name)) this.#present.delete(name);
    }
  }

  visit(of: number, entity: Ref): unknown {
    if (entity === null) return null;
    const name = `${of}/${entity}`;
    if (!this.#present.has(name)) return GONE;
    const known = this.joined.get(name);
    if (known) return known;
    const made: Record<string, unknown> = { id: entity, title: `title of ${name}` };
    this.joined.set(name, made);
    for (const [number, spec] of this.#world.classes[of]!.entries()) {
      const value = this.#told.get(name)!.has(number)
        ? this.#field(of, entity, number, spec)
        : fallback(spec);
      made[`f${number}`] = value === GONE ? undefined : value;
    }
    return made;
  }

  #field(of: number, entity: number, number: number, { kind, target }: FieldSpec): unknown {
    const shown = shownBy(kind, this.#world.rows[of]![entity]![number]!);
    const members = shown.map((member) => this.visit(target, member));
    return gathered(kind, members);
  }

  #lacksRequired(name: string): boolean {
    const [of, entity] = name.split('/').map(Number) as [number, number]; // made of two numbers
    return this.#world.classes[of]!.some(({ kind, target, required }, number) => {
      if (!required || !this.#told.get(name)!.has(number) || (kind !== 'one' && kind !== 'box')) return false;
      const member = this.#world.rows[of]![entity]![number]![0] ?? null;
      return member !== null && !this.#present.has(`${target}/${member}`);
    });
  }
}

function fallback({ kind, required }: FieldSpec): unknown {
  if (kind === 'one' || kind === 'box') return required ? REQUIRED_DEFAULT : undefined;
  return [];
}

/** The members in the shape of a field: lists leave out what is gone, objects are gone with it. */
function gathered(kind: Kind, members: readonly unknown[]): unknown {
  const there = (items: readonly unknown[]): unknown[] => items.filter((item) => item !== GONE);
  if (kind === 'one') return members[0];
  // A list leaves out null, as it does what is not there.
  const listed = (items: readonly unknown[]): unknown[] => there(items).filter((item) => item !== null);
  if (kind === 'many') return listed(members);
  if (kind === 'box') return members[0] === GONE ? GONE : { inner: members[0], note: 'n' };
  if (kind === 'boxes') return there(members).map((inner) => ({ inner, note: 'n' }));
  return [listed(members), listed(members.slice(1))];
}

/** Compares two graphs that may have cycles: an entity on one side must be one object on the other. */
class Comparison {
  readonly actualOf = new Map<Record<string, unknown>, object>();
  readonly #expectedOf = new Map<object, object>();
  readonly #entities: ReadonlySet<unknown>;

  constructor(entities: Iterable<unknown>) {
    this.#entities = new Set(entities);
  }

  same(actual: unknown, expected: unknown): boolean {
    if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
    if (typeof actual !== 'object' || actual === null) return false;
    if (Array.isArray(expected)) {
      if (!Array.isArray(actual) || actual.length !== expected.length) return false;
      return expected.every((member, index) => this.same(actual[index], member));
    }
    const fieldsOfExpected = expected as Record<string, unknown>; // no list, see above
    if (this.#entities.has(expected)) {
      if (!(actual instanceof Entity)) return false;
      const known = this.actualOf.get(fieldsOfExpected);
      if (known !== undefined) return known === actual;
      if (this.#expectedOf.has(actual)) return false;
      this.actualOf.set(fieldsOfExpected, actual);
      this.#expectedOf.set(actual, expected);
    }
    const names = Object.keys(fieldsOfExpected);
    return (
      Object.keys(actual).length === names.length &&
      names.every((name) => this.same((actual as Record<string, unknown>)[name], fieldsOfExpected[name]))
    );
  }
}

/** What each entity refers to, by name; including missing entities. */
function referencesOf(
  of: World,
  told: ReadonlyMap<string, ReadonlySet<number>>,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const [name, numbers] of told) {
    const [index, id] = name.split('/').map(Number) as [number, number]; // made of two numbers
    const names = [...numbers].flatMap((number) => {
      const { kind, target } = of.classes[index]![number]!;
      return shownBy(kind, of.rows[index]![id]![number]!).map((member) => `${target}/${member}`);
    });
    found.set(name, names);
  }
  return found;
}

/** The same of what is joined in the end. */
function joinedReferences(
  joined: ReadonlyMap<string, Record<string, unknown>>,
): Map<string, readonly string[]> {
  const nameOf = new Map<unknown, string>([...joined].map(([name, value]) => [value, name]));
  const within = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const name = nameOf.get(value);
    return name === undefined ? Object.values(value).flatMap(within) : [name];
  };
  return new Map([...joined].map(([name, value]) => [name, Object.values(value).flatMap(within)]));
}

/** The names from which `start` can be reached, `start` included. */
function reaching(refersTo: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const found = new Set([start]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const [name, others] of refersTo) if (others.some((other) => found.has(other))) found.add(name);
  }
  return found;
}

describe('whatever the entities and the response', () => {
  it('a denormalized value equals a naive join with one object for each entity, and keeps its identity', () => {
    fc.assert(
      fc.property(world, fc.nat(), (of, whichChanges) => {
        const classes = classesOf(of);
        const teller = new Teller(of);
        const schema = Object.fromEntries(
          of.roots.map(([root], index) => [`root${index}`, [classes[root]!]]),
        );
        const endpoint = new Endpoint(async (): Promise<unknown> => null, { name: 'get', schema });
        const response = Object.fromEntries(
          of.roots.map(([root, entity], index) => [`root${index}`, [teller.tell(root, entity)]]),
        );

        const controller = new Controller();
        const again = structuredClone(response);
        controller.setResponse(endpoint, deepFreeze(response));
        const data = controller.getResponse(endpoint).data;

        const naive = new NaiveJoin(of, teller.told);
        const expected = Object.fromEntries(
          of.roots.map(([root, entity], index) => {
            const value = naive.visit(root, entity);
            return [`root${index}`, value === GONE ? [] : [value]];
          }),
        );
        const comparison = new Comparison(naive.joined.values());
        expect(comparison.same(data, expected)).toBe(true);
        const read = (name: string): object | undefined => {
          const [index, id] = name.split('/').map(Number) as [number, number]; // made of two numbers
          return controller.get(classes[index]!, { id });
        };
        for (const [name, value] of naive.joined) expect(read(name)).toBe(comparison.actualOf.get(value));

        controller.setResponse(endpoint, again);
        expect(controller.getResponse(endpoint).data).toBe(data);
        for (const [name, value] of naive.joined) expect(read(name)).toBe(comparison.actualOf.get(value));

        // A change gives a new identity to what reaches it, and to nothing else.
        const names = [...naive.joined.keys()];
        if (names.length === 0) return;
        const changed = names[whichChanges % names.length]!;
        const [index, id] = changed.split('/').map(Number) as [number, number]; // made of two numbers
        controller.set(classes[index]!, { id }, { title: 'changed' });
        const touched = reaching(joinedReferences(naive.joined), changed);
        const perhaps = reaching(referencesOf(of, teller.told), changed);
        for (const [name, value] of naive.joined) {
          const isSame = read(name) === comparison.actualOf.get(value);
          if (touched.has(name)) expect([name, isSame]).toEqual([name, false]);
          else if (!perhaps.has(name)) expect([name, isSame]).toEqual([name, true]);
        }
        expect(controller.getResponse(endpoint).data === data).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
