import type { ReactElement } from 'react';
import { needsSignIn, problemsOf } from '../data/problems.ts';
import { Link } from '../routing.tsx';

interface FailureProps {
  readonly error: Error;
  readonly resetErrorBoundary: () => void;
}

/** In place of what could not be read. */
export function Failure({ error, resetErrorBoundary }: FailureProps): ReactElement {
  return (
    <section className="failure" role="alert">
      <Problems error={error} />
      {needsSignIn(error) ? (
        <Link to="/login" className="button">
          Sign in
        </Link>
      ) : (
        <button onClick={resetErrorBoundary}>Try again</button>
      )}
    </section>
  );
}

export function Problems({ error }: { readonly error: unknown }): ReactElement | null {
  if (error === undefined) return null;
  return (
    <div className="problems" role="alert">
      {problemsOf(error).map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}
