import { useOutbox } from 'holdfast/outbox';
import type { ReactElement } from 'react';

/** Marks what is shown as it is because of something that is not sent yet. */
export function Pending({ of: entity }: { readonly of: object }): ReactElement | null {
  return useOutbox().isPending(entity) ? <span className="pending">not sent yet</span> : null;
}
