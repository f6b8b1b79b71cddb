import { useMemo, type ReactElement, type ReactNode } from 'react';
import { hydrateState } from '../ssr/hydrateState.ts';
import { useController } from './useController.ts';

/** Props of `HydrateState`. */
export interface HydrateStateProps {
  /** The return value of `serialize` in the server component. */
  readonly state: string;
  readonly children?: ReactNode;
}

/**
 * Merges data that a server component fetched into the controller of the nearest `DataProvider`, before its children
 * render, and again whenever the server component renders again. Newer data in the controller stays.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` if `state` was not created by `serialize`
 * @example
 * async function Page() {
 *   const controller = new Controller();
 *   await controller.fetch(ArticleResource.getList);
 *   return (
 *     <HydrateState state={serialize(controller)}>
 *       <p>Client components here find the articles.</p>
 *     </HydrateState>
 *   );
 * }
 */
export function HydrateState({ state, children }: HydrateStateProps): ReactElement {
  const controller = useController();
  // During render, so that the children find the data. Rendering twice, or without committing, does no harm.
  useMemo(() => hydrateState(controller, state), [controller, state]);
  return <>{children}</>;
}
