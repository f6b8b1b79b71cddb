import { useMemo, type ReactElement, type ReactNode } from 'react';
import { hydrateState } from '../ssr/hydrateState.ts';
import { useController } from './useController.ts';

/** Props of `HydrateState`. */
export interface HydrateStateProps {
  /** What `serialize` returned in the server component. */
  readonly state: string;
  readonly children?: ReactNode;
}

/**
 * Merges what a server component fetched into the controller of the nearest `DataProvider`, before its children render,
 * and again whenever the server component is rendered again. Newer data in the controller stays.
 *
 * @throws HoldfastError `HF_INITIAL_STATE` when `state` is not the text of `serialize`
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
  // While rendering, so that the children find the data. Rendering again, or not committing, does no harm.
  useMemo(() => hydrateState(controller, state), [controller, state]);
  return <>{children}</>;
}
