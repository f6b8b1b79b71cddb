import type { CSSProperties } from 'react';
import type { Person } from '../model/Person.ts';

/** The person's initials; with `named` the name is said too, for where it is not written beside. */
export function Avatar({
  person,
  named = false,
  large = false,
}: {
  person: Person | null;
  named?: boolean;
  large?: boolean;
}) {
  const label = person ? person.name : 'Unassigned';
  return (
    <span
      className={`avatar${person ? '' : ' avatar-empty'}${large ? ' avatar-large' : ''}`}
      // A custom property, which the type of styles does not know.
      style={{ '--hue': person?.hue ?? 0 } as CSSProperties}
      title={named ? label : undefined}
      {...(named ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {person?.initials}
    </span>
  );
}
