import { useSuspense } from 'holdfast/react';
import { moveInList } from '../keyboard/moveInList.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { PersonResource } from '../model/Person.ts';
import { Link } from '../routing/Link.tsx';
import { personPath } from '../routing/route.ts';
import { Avatar } from '../ui/Avatar.tsx';

export function PeopleScreen() {
  const people = useSuspense(PersonResource.getList);
  useShortcuts({
    j: () => {
      moveInList(1);
    },
    k: () => {
      moveInList(-1);
    },
  });
  return (
    <div className="page">
      <title>People · Mooring</title>
      <h1>People</h1>
      <ul className="people" role="list">
        {people.map((person) => (
          <li key={person.id}>
            <Link className="person" href={personPath(person.id)} data-row>
              <Avatar person={person} large />
              <span className="card-text">
                <strong>{person.name}</strong>
                <span className="muted">{person.role}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
