import { Component, type ComponentType, type ErrorInfo, type ReactElement, type ReactNode } from 'react';
import type { Controller } from '../controller/Controller.ts';
import { onReconnect } from '../controller/Environment.ts';
import { internalsOf } from '../controller/internalsOf.ts';
import { isUnanswered } from '../util/errorStatus.ts';
import { ControllerContext } from './useController.ts';

/** Props of an error component. */
export interface ErrorFallbackProps {
  /** The error thrown below the boundary. */
  readonly error: Error;
  /** Renders the children again. Failed reads are requested again, even before their errors expire. */
  readonly resetErrorBoundary: () => void;
  readonly className?: string | undefined;
}

/** Props of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  readonly children?: ReactNode;
  /**
   * Rendered in place of the children once they have thrown. Default: a sentence and a button that resets the
   * boundary.
   */
  readonly fallbackComponent?: ComponentType<ErrorFallbackProps> | undefined;
  readonly className?: string | undefined;
  /**
   * Called once for each error that this boundary catches, for example to report it. Not called during server
   * rendering.
   */
  readonly onError?: ((error: Error, info: ErrorInfo) => void) | undefined;
  /**
   * Called with the reset function on mount and when this prop changes, so that a router can reset the boundary on
   * navigation. Returns the unsubscribe function.
   */
  readonly listen?: ((reset: () => void) => () => void) | undefined;
}

interface ErrorBoundaryState {
  readonly failed: { readonly error: Error } | undefined;
}

/**
 * Shows an error component in place of children that threw. Below a `DataProvider`, it renders the children again on
 * reconnect, and when the page becomes visible, if the connection had failed (`status` 0).
 *
 * @example
 * const Problem = ({ error }: ErrorFallbackProps) => (
 *   <p role="alert">{error.message}</p>
 * );
 *
 * <ErrorBoundary fallbackComponent={Problem} onError={report}>
 *   <Articles />
 * </ErrorBoundary>;
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  static override contextType = ControllerContext;
  /** Undefined outside a provider. */
  declare context: Controller | undefined;
  override state: ErrorBoundaryState = { failed: undefined };
  /** The controller at the last render. */
  #controller: Controller | undefined;
  #unlisten: (() => void) | undefined;
  #stopWaiting: (() => void) | undefined;

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failed: { error: toError(error) } };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    this.props.onError?.(toError(error), info);
  }

  override componentDidMount(): void {
    this.#controller = this.context;
    this.#unlisten = this.props.listen?.(this.#reset);
    this.#waitForNetwork();
  }

  override componentDidUpdate({ listen }: ErrorBoundaryProps): void {
    if (listen !== this.props.listen) {
      this.#unlisten?.();
      this.#unlisten = this.props.listen?.(this.#reset);
    }
    if (this.#controller !== this.context) {
      // The error may be that of another user.
      this.#controller = this.context;
      this.#reset();
    }
    this.#waitForNetwork();
  }

  override componentWillUnmount(): void {
    this.#unlisten?.();
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  override render(): ReactNode {
    const { children, className, fallbackComponent: Fallback = DefaultFallback } = this.props;
    const { failed } = this.state;
    if (failed === undefined) return children;
    return <Fallback error={failed.error} resetErrorBoundary={this.#reset} className={className} />;
  }

  readonly #reset = (): void => {
    if (this.state.failed === undefined) return;
    if (this.context !== undefined) internalsOf(this.context).core.retryErrors();
    this.setState({ failed: undefined });
  };

  #waitForNetwork(): void {
    const controller = this.context;
    if (controller === undefined || !isUnanswered(this.state.failed?.error)) {
      this.#stopWaiting?.();
      this.#stopWaiting = undefined;
    } else {
      this.#stopWaiting ??= onReconnect(controller.environment, this.#reset);
    }
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}

function DefaultFallback({ resetErrorBoundary, className }: ErrorFallbackProps): ReactElement {
  return (
    <div role="alert" className={className}>
      <p>This could not be loaded.</p>
      <button type="button" onClick={resetErrorBoundary}>
        Try again
      </button>
    </div>
  );
}
