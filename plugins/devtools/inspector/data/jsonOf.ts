import { classOf } from './members.ts';

/** A value as JSON; circular references are replaced by the name of their class. */
export function jsonOf(value: unknown): string {
  const ancestors: object[] = [];
  const text = JSON.stringify(
    value,
    function (this: object, _name, member: unknown) {
      // `this` is the object that has the member, so all objects after it on the stack are complete.
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
