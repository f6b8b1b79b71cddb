import { AsyncBoundary, type ErrorFallbackProps } from 'holdfast/react';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel.tsx';

interface Place {
  resetKey: string;
  what: string | undefined;
  onError: ReactNode | undefined;
}

const PlaceContext = createContext<Place>({ resetKey: '', what: undefined, onError: undefined });

/** Shows a fallback while its children load, and an error message if they fail, until they request other data. */
export function Boundary({
  resetKey,
  what,
  fallback,
  onError,
  children,
}: {
  /** Names what is shown: another one gets another chance. */
  resetKey: string;
  /** Names it in a word about its failure, where that is not plain from its place: “The comments”. */
  what?: string;
  fallback: ReactNode;
  /** Instead of the usual panel. */
  onError?: ReactNode;
  children: ReactNode;
}) {
  return (
    <PlaceContext value={{ resetKey, what, onError }}>
      <AsyncBoundary fallback={fallback} errorComponent={Failure}>
        {children}
      </AsyncBoundary>
    </PlaceContext>
  );
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps) {
  const { resetKey, what, onError } = use(PlaceContext);
  const [failed] = useState(resetKey);
  const another = resetKey !== failed;
  useEffect(() => {
    if (another) resetErrorBoundary();
  }, [another, resetErrorBoundary]);
  return onError === undefined ? (
    <ErrorPanel error={error} what={what} retry={resetErrorBoundary} />
  ) : (
    onError
  );
}
