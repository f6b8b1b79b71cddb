import { describe, HoldfastError } from '../../util/errors.ts';
import { isPlain } from '../../util/isPlain.ts';
import { compareValues, isRanged } from './compareValues.ts';
import { asSubject, comparable, fieldOf, type ReadField } from './fields.ts';
import { boundsOf, type Range } from './ranges.ts';
import { eachNeeded, type RowReader, type Subject, type SubjectSchema } from './relations.ts';

/** Whether a subject meets a condition. */
export type Test = (subject: Subject, reader: RowReader) => boolean;

/** Called with each field that a condition reads, or without a field if only the existence of an entity counts. */
export type OnField = (subject: SubjectSchema, field: string | undefined) => void;

type Condition = Readonly<Record<string, unknown>>;

/** Whether a field's value, which is comparable, passes an operator. */
type TestValue = (value: unknown) => boolean;

/** A compiled condition: equalities, which an index answers, and everything else. */
export interface Conditions {
  readonly equal: ReadonlyMap<string, unknown>;
  /** Everything else; undefined if there are only equalities. */
  readonly test: Test | undefined;
  /** The text of everything else, the same for the same conditions. */
  readonly id: string;
  /** The part of everything else that a sorted list can answer; undefined if there is none. */
  readonly range: Range | undefined;
  /** Whether a row meets all conditions, for rows that no index has found. */
  readonly meets: Test;
}

/** The tests of conditions without any defined part, which `NOT` and `all` leave out. */
const ALWAYS: TestValue = () => true;
const ANY: Test = () => true;

/** Makes tests of values for each operator. Operands are comparable; undefined ones have been left out. */
const OPERATORS: Readonly<Record<string, (operand: unknown) => TestValue>> = {
  eq: (operand) => (value) => isSame(value, operand),
  ne: (operand) => (value) => !isSame(value, operand),
  in: (operand) => isOneOf(operand),
  notIn: (operand) => not(isOneOf(operand)),
  lt: (operand) => (value) => compare(value, operand) < 0,
  lte: (operand) => (value) => compare(value, operand) <= 0,
  gt: (operand) => (value) => compare(value, operand) > 0,
  gte: (operand) => (value) => compare(value, operand) >= 0,
  startsWith: (operand) => (value) => typeof value === 'string' && value.startsWith(String(operand)),
  endsWith: (operand) => (value) => typeof value === 'string' && value.endsWith(String(operand)),
  contains: (operand) => (value) => typeof value === 'string' && value.includes(String(operand)),
  has: (operand) => (value) => Array.isArray(value) && value.some((member) => isSame(member, operand)),
  exists: (operand) => (value) => (value !== null && value !== undefined) === operand,
};

/**
 * Compiles a `where`.
 *
 * @param subjects - the classes of the rows
 * @throws HoldfastError `HF_NOT_QUERYABLE` for an unknown operator, or a field that is not stored
 */
export function conditionsOf(
  subjects: readonly SubjectSchema[],
  where: Condition | undefined,
  onField: OnField,
): Conditions {
  const equal = new Map<string, unknown>();
  const equalities: Test[] = [];
  const tests: Test[] = [];
  const rest: unknown[] = [];
  let range: Range | undefined;
  const add = (condition: Condition): void => {
    for (const [field, wanted] of Object.entries(condition)) {
      if (wanted === undefined) continue;
      if (field === 'AND') {
        for (const one of listOf(wanted)) add(one);
        continue;
      }
      const value = equalityOf(wanted);
      const stored = LOGIC.has(field) ? undefined : fieldOf(subjects, field);
      const isPlainField = stored !== undefined && stored.relation === undefined;
      const isIndexed = value !== undefined && isPlainField && !equal.has(field);
      if (isIndexed) equal.set(field, value.value);
      const test = testOf(subjects, field, wanted, onField, false);
      (isIndexed ? equalities : tests).push(test);
      if (isIndexed) continue;
      rest.push(field, wanted);
      const bounds = isPlainField ? boundsOf(wanted) : undefined;
      if (bounds !== undefined)
        range ??= { field, read: (fields) => comparable(stored?.readStored(fields)), bounds };
    }
  };
  add(where ?? {});
  const test = all(tests);
  return {
    equal,
    test: test === ANY ? undefined : test,
    id: textOf(rest),
    range,
    meets: all([...equalities, ...tests]),
  };
}

/** A condition as text. Operands of different types differ in it. */
function textOf(condition: unknown): string {
  return JSON.stringify(condition, function (this: Condition, key, value: unknown) {
    const raw = comparable(this[key]);
    if (typeof raw === 'string') return raw.startsWith('\0') ? `\0${raw}` : raw;
    const isOther =
      raw === null || typeof raw === 'number' || typeof raw === 'bigint' || typeof raw === 'boolean';
    return isOther ? `\0${typeof raw}${String(raw)}` : value;
  });
}

const QUANTIFIERS: ReadonlySet<string> = new Set(['some', 'every', 'none']);

const LOGIC: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

/** The value that a condition requires a field to equal, boxed because it may be null; undefined for other conditions. */
function equalityOf(wanted: unknown): { readonly value: unknown } | undefined {
  const operand = isPlain(wanted) && Object.keys(wanted).join() === 'eq' ? wanted['eq'] : wanted;
  const value = comparable(operand);
  return value === undefined || (typeof value === 'object' && value !== null) ? undefined : { value };
}

/** Compiles a condition, all of whose members must hold. */
function compile(
  subjects: readonly SubjectSchema[],
  condition: Condition,
  onField: OnField,
  isRelated: boolean,
): Test {
  return all(
    Object.entries(condition)
      .filter(([, wanted]) => wanted !== undefined)
      .map(([field, wanted]) => testOf(subjects, field, wanted, onField, isRelated)),
  );
}

/** @param isRelated - whether the subjects are those of a relation, rather than those of the rows themselves */
function testOf(
  subjects: readonly SubjectSchema[],
  field: string,
  wanted: unknown,
  onField: OnField,
  isRelated: boolean,
): Test {
  const each = (): Test[] => listOf(wanted).map((one) => compile(subjects, one, onField, isRelated));
  if (field === 'AND') return all(each());
  if (field === 'OR') return any(each());
  if (field === 'NOT') {
    // What is undefined is no condition, not even under NOT.
    const tests = each().filter((test) => test !== ANY);
    return tests.length === 0 ? ANY : (subject, reader) => !tests.some((test) => test(subject, reader));
  }
  if (isRelated) for (const subject of subjects) onField(subject, field);
  const { read, relation, isPrimitive } = fieldOf(subjects, field);
  if (relation === undefined) return testOfValue(read, wanted, onField, isPrimitive);
  eachNeeded(relation, onField);
  const nested = (condition: unknown): Test =>
    compile(relation.subjects, asCondition(condition, field), onField, true);
  if (!isPlain(wanted) || (isOperators(wanted) && 'exists' in wanted)) {
    const test = operators(isPlain(wanted) ? wanted : { eq: wanted });
    return (subject, reader) => test(read(subject, reader));
  }
  if (!relation.isList) {
    const { exists, ...conditions } = wanted;
    const test = nested(conditions);
    if (test === ANY && exists === undefined) return ANY;
    return (subject, reader) => {
      const related = read(subject, reader);
      return exists !== false && isSubject(related) && test(related, reader);
    };
  }
  return quantifiedBy(read, wanted, nested);
}

/** The quantified conditions on a list, all of which must hold. */
function quantifiedBy(read: ReadField, wanted: Condition, nested: (condition: unknown) => Test): Test {
  return all(
    Object.entries(wanted)
      .filter(([, condition]) => condition !== undefined)
      .map(([quantifier, condition]) => quantified(read, quantifier, nested(condition))),
  );
}

/** `some`, `every` or `none` of the members of a list. */
function quantified(read: ReadField, quantifier: string, test: Test): Test {
  if (!QUANTIFIERS.has(quantifier)) throw unknownOperator(quantifier);
  return (subject, reader) => {
    const value = read(subject, reader);
    const members = Array.isArray(value) ? value.filter(isSubject) : [];
    const passes = (member: Subject): boolean => test(member, reader);
    if (quantifier === 'every') return members.every(passes);
    return members.some(passes) === (quantifier === 'some');
  };
}

/** A condition on a plain value, or on the fields of a plain object or of a list of these. */
function testOfValue(read: ReadField, wanted: unknown, onField: OnField, isPrimitive: boolean): Test {
  if (isPlain(wanted) && !isPrimitive && !isOperators(wanted)) {
    const nested = (condition: unknown): Test => compile([], asCondition(condition, 'a list'), onField, true);
    if (Object.keys(wanted).every((name) => QUANTIFIERS.has(name)))
      return quantifiedBy((subject, reader) => asSubject(read(subject, reader)), wanted, nested);
    const test = nested(wanted);
    if (test === ANY) return ANY;
    return (subject, reader) => {
      const value = read(subject, reader);
      return isPlain(value) && test({ schema: undefined, fields: value }, reader);
    };
  }
  const test = operators(isPlain(wanted) ? wanted : { eq: wanted });
  return test === ALWAYS ? ANY : (subject, reader) => test(comparable(read(subject, reader)));
}

function isOperators(condition: Condition): boolean {
  const names = Object.keys(condition);
  return names.every((name) => name === 'ignoreCase' || Object.hasOwn(OPERATORS, name));
}

function operators(condition: Condition): TestValue {
  const { ignoreCase, ...operands } = condition;
  const fold = (value: unknown): unknown =>
    ignoreCase === true && typeof value === 'string' ? value.toLowerCase() : value;
  const tests = Object.entries(operands)
    .filter(([, operand]) => operand !== undefined)
    .map(([name, operand]) => {
      const make = OPERATORS[name];
      if (make === undefined) throw unknownOperator(name);
      const folded = Array.isArray(operand)
        ? operand.map((one) => fold(comparable(one)))
        : fold(comparable(operand));
      return make(folded);
    });
  if (tests.length === 0) return ALWAYS;
  return (value) => {
    const folded = Array.isArray(value) ? value.map((one) => fold(comparable(one))) : fold(value);
    return tests.every((test) => test(folded));
  };
}

function isOneOf(operand: unknown): TestValue {
  if (!Array.isArray(operand))
    throw new HoldfastError('HF_NOT_QUERYABLE', `in and notIn take a list, not ${describe(operand)}`);
  const values = new Set<unknown>(operand);
  return (value) => values.has(value);
}

const not =
  (test: TestValue): TestValue =>
  (value) =>
    !test(value);

/** Whether two comparable values are equal: NaN equals itself, and -0 equals 0, as in a map. */
export function isSame(left: unknown, right: unknown): boolean {
  return left === right || Object.is(left, right);
}

/** Negative where a value is less than an operand; NaN, which is neither, where they are of two kinds. */
function compare(value: unknown, operand: unknown): number {
  const isAlike =
    isRanged(value) && isRanged(operand) && (typeof value === 'string') === (typeof operand === 'string');
  return isAlike ? compareValues(value, operand) : NaN;
}

function all(given: readonly Test[]): Test {
  const tests = given.filter((test) => test !== ANY);
  if (tests.length > 1) return (subject, reader) => tests.every((test) => test(subject, reader));
  return tests[0] ?? ANY;
}

function any(tests: readonly Test[]): Test {
  if (tests.includes(ANY)) return ANY;
  return (subject, reader) => tests.some((test) => test(subject, reader));
}

/** The conditions of `AND`, `OR` or `NOT`: one, or a list of which some may be undefined. */
function listOf(wanted: unknown): readonly Condition[] {
  const conditions = Array.isArray(wanted) ? (wanted as unknown[]) : [wanted];
  return conditions.filter((one) => one !== undefined).map((one) => asCondition(one, 'AND, OR or NOT'));
}

function asCondition(value: unknown, where: string): Condition {
  if (isPlain(value)) return value;
  throw new HoldfastError('HF_NOT_QUERYABLE', `${where} takes conditions, not ${describe(value)}`);
}

/** Whether the value of a relation is a row or an instance. */
function isSubject(value: unknown): value is Subject {
  return typeof value === 'object' && value !== null;
}

function unknownOperator(name: string): HoldfastError {
  return new HoldfastError(
    'HF_NOT_QUERYABLE',
    `${JSON.stringify(name)} is no operator; use one of ${Object.keys(OPERATORS).join(', ')}, or some, every, none of a list of entities`,
  );
}
