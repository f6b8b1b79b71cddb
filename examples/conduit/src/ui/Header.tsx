import { useOutbox } from 'holdfast/outbox';
import type { ReactElement } from 'react';
import { useSession } from '../data/useSession.ts';
import { Link, pathTo } from '../routing.tsx';

export function Header(): ReactElement {
  const session = useSession();
  return (
    <header>
      <Link to="/" className="brand">
        conduit
      </Link>
      <nav aria-label="Main">
        <Link to="/">Home</Link>
        {session === null ? (
          <>
            <Link to="/login">Sign in</Link>
            <Link to="/register">Sign up</Link>
          </>
        ) : (
          <>
            <Link to="/editor">New article</Link>
            <Link to="/settings">Settings</Link>
            <Link to={pathTo('profile', session.username)}>{session.username}</Link>
          </>
        )}
      </nav>
      <Unsent />
    </header>
  );
}

/** How much the server does not have yet. */
function Unsent(): ReactElement | null {
  const { pending, failed } = useOutbox();
  if (pending.length + failed.length === 0) return null;
  return (
    <Link to="/unsent" className={failed.length > 0 ? 'unsent has-failed' : 'unsent'}>
      {failed.length > 0 ? `${failed.length} not accepted` : `${pending.length} unsent`}
    </Link>
  );
}
