import { describeError } from '../data/describeError.ts';
import { Empty } from './Empty.tsx';

/** In the place of what could not be read: what happened, what still works, and a way to try again. */
export function ErrorPanel({
  error,
  what,
  retry,
}: {
  error: unknown;
  /** In the plural: “The comments”. */
  what: string | undefined;
  retry: () => void;
}) {
  const problem = describeError(error);
  const again = (
    <button type="button" className="button" onClick={retry}>
      Try again
    </button>
  );
  if (problem.kind === 'unreachable') {
    return (
      <Empty title={what ? `${what} are not on this device yet` : 'Not on this device yet'} action={again}>
        The server can’t be reached. What is already on this device still works.
      </Empty>
    );
  }
  if (problem.kind === 'missing') return <Empty title="Not found">{problem.message}</Empty>;
  return (
    <Empty title="This could not be loaded" action={again}>
      {problem.message}
    </Empty>
  );
}
