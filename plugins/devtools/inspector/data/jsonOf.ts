import { classOf } from './members.ts';

/** A value as JSON; what would go in a circle is named by its class. */
export function jsonOf(value: unknown): string {
  const ancestors: object[] = [];
  const text = JSON.stringify(
    value,
    function (this: object, _name, member: unknown) {
      // `this` is the object that has the member, so whatever came after it is done with.
      ancestors.length = ancestors.indexOf(this) + 1;
      if (typeof member !== 'object' || member === null)
        return typeof member === 'bigint' ? String(member) : member;
      if (ancestors.includes(member)) return `[circle to ${classOf(member)}]`;
      ancestors.push(member);
      return member;
    },
    2,
  ) as string | undefined; // for functions and undefined
  return text ?? String(value);
}
