import { Component, type ComponentType, type ReactElement, type ReactNode } from 'react';

/** What an error component is given. */
export interface ErrorFallbackProps {
  /** What was thrown below the boundary. */
  readonly error: Error;
  /** Renders the children again. */
  readonly resetErrorBoundary: () => void;
  readonly className?: string | undefined;
}

/** Props of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  readonly children?: ReactNode;
  /** Rendered in place of the children once they have thrown. Default: status and message. */
  readonly fallbackComponent?: ComponentType<ErrorFallbackProps>;
  readonly className?: string;
  /** Given the reset function when mounted; for routers, to reset at navigation. Returns how to stop listening. */
  readonly listen?: (reset: () => void) => () => void;
}

interface ErrorBoundaryState {
  readonly failed: { readonly error: Error } | undefined;
}

/**
 * Shows an error component in place of children that threw.
 *
 * @example
 * <ErrorBoundary fallbackComponent={({ error }) => <p role="alert">{error.message}</p>}>…</ErrorBoundary>
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: undefined };
  #unlisten: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failed: { error: error instanceof Error ? error : new Error(String(error), { cause: error }) } };
  }

  override componentDidMount(): void {
    this.#unlisten = this.props.listen?.(this.#reset);
  }

  override componentWillUnmount(): void {
    this.#unlisten?.();
  }

  override render(): ReactNode {
    const { children, className, fallbackComponent: Fallback = DefaultFallback } = this.props;
    const { failed } = this.state;
    if (failed === undefined) return children;
    return <Fallback error={failed.error} resetErrorBoundary={this.#reset} className={className} />;
  }

  readonly #reset = (): void => {
    if (this.state.failed !== undefined) this.setState({ failed: undefined });
  };
}

function DefaultFallback({ error, className }: ErrorFallbackProps): ReactElement {
  const { status } = error as { readonly status?: unknown }; // a NetworkError has one
  return (
    <pre role="alert" className={className}>
      {typeof status === 'number' && status > 0 ? `${status} ` : ''}
      {error.message}
    </pre>
  );
}
