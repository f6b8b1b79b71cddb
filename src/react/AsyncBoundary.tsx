import { Suspense, type ComponentType, type ErrorInfo, type ReactElement, type ReactNode } from 'react';
import { ErrorBoundary, type ErrorFallbackProps } from './ErrorBoundary.tsx';

/** Props of `AsyncBoundary`. */
export interface AsyncBoundaryProps {
  readonly children?: ReactNode;
  /** Shown while a child suspends. */
  readonly fallback?: ReactNode;
  /** Shown when a child has thrown. Default: a sentence and a button that resets the boundary. */
  readonly errorComponent?: ComponentType<ErrorFallbackProps> | undefined;
  readonly errorClassName?: string | undefined;
  /** Called once for each caught error, for example to report it. */
  readonly onError?: ((error: Error, info: ErrorInfo) => void) | undefined;
  /**
   * Called with the reset function on mount, so that a router can reset the boundary on navigation. Returns the
   * unsubscribe function.
   */
  readonly listen?: ((reset: () => void) => () => void) | undefined;
}

/**
 * The loading and error states of everything below it, in one component.
 *
 * @example
 * <AsyncBoundary fallback={<Spinner />} errorComponent={Failure}>
 *   <Articles />
 * </AsyncBoundary>;
 */
export function AsyncBoundary({
  children,
  fallback,
  errorComponent,
  errorClassName,
  ...others
}: AsyncBoundaryProps): ReactElement {
  return (
    <ErrorBoundary {...others} fallbackComponent={errorComponent} className={errorClassName}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </ErrorBoundary>
  );
}
