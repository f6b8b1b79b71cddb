import { useOutbox } from 'holdfast/outbox';
import { useOnline } from 'holdfast/react';
import { useEffect, type ReactElement } from 'react';
import { useIsExpired, useSession } from '../data/useSession.ts';
import { Link } from '../routing.tsx';

/** What stands between a person and the server. */
export function Banners(): ReactElement {
  const isOnline = useOnline();
  const token = useSession()?.token;
  const isExpired = useIsExpired();
  const { state, pending, resume } = useOutbox();
  // A user has signed in again.
  useEffect(() => void resume(), [resume, token]);
  return (
    <div className="banners" role="status">
      {!isOnline && <p>You are offline. What you write is kept and sent later.</p>}
      {isOnline && (isExpired || state === 'needs-auth') && (
        <p>
          You have been signed out. <Link to="/login">Sign in</Link> to go on.
        </p>
      )}
      {isOnline && state === 'blocked' && (
        <p className="is-bad">{pending.find(({ status }) => status === 'blocked')?.error?.message}</p>
      )}
    </div>
  );
}
