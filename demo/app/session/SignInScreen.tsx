import { useState } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { Logo } from '../ui/Logo.tsx';
import { accounts } from './accounts.ts';

/** Chooses a person. It knows nothing of anyone's data, so it also works offline. */
export function SignInScreen({ onSignIn }: { onSignIn: (person: string) => void }) {
  const [chosen, setChosen] = useState<string>();
  return (
    <main className="sign-in">
      <title>Sign in · Mooring</title>
      <p className="brand">
        <Logo /> Mooring
      </p>
      <h1>Sign in</h1>
      <p className="muted">Choose a person. The demo needs no password.</p>
      <ul role="list" className="accounts">
        {accounts.map((person) => (
          <li key={person.id}>
            <button
              type="button"
              className="account"
              disabled={chosen !== undefined}
              onClick={() => {
                setChosen(person.id);
                onSignIn(person.id);
              }}
            >
              <Avatar person={person} large />
              <span className="card-text">
                <strong>{person.name}</strong>
                <span className="muted">{person.role}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="muted sign-in-note">
        Each person has a database and an outbox of their own on this device. Nobody sees another person’s
        data.
      </p>
    </main>
  );
}
