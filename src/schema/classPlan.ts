import type { EntityClass } from './Schema.ts';

/** What is derived once from a class: its default values, and which data fields an instance may receive. */
export interface ClassPlan {
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Whether a data field may be set on an instance: not where a method, accessor or `__proto__` has the name. */
  accepts(field: string): boolean;
  /** Whether the prototype chain has members besides `pk`, so that `pk()` may need a real instance as `this`. */
  readonly hasMembers: boolean;
}

// Derived from the class alone, so it is the same for every controller; weak, so that a class can be collected.
const plans = new WeakMap<object, ClassPlan>();

/** The plan of an entity class, made on first use. */
export function classPlan(entity: EntityClass): ClassPlan {
  let plan = plans.get(entity);
  if (plan === undefined) {
    plan = makePlan(entity);
    plans.set(entity, plan);
  }
  return plan;
}

function makePlan(entity: EntityClass): ClassPlan {
  const defaults = Object.freeze({ ...new entity() });
  const taken = new Map<string, boolean>();
  return {
    defaults,
    accepts(field) {
      let accepted = taken.get(field);
      if (accepted === undefined) {
        accepted = field !== '__proto__' && (Object.hasOwn(defaults, field) || !(field in entity.prototype));
        // Hostile data could bring endless field names; beyond any real class they are looked up each time.
        if (taken.size < 1_000) taken.set(field, accepted);
      }
      return accepted;
    },
    hasMembers: hasMembers(entity.prototype),
  };
}

function hasMembers(prototype: object): boolean {
  for (
    let level: object | null = prototype;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const member of Reflect.ownKeys(level)) {
      if (member !== 'constructor' && member !== 'pk') return true;
    }
  }
  return false;
}
