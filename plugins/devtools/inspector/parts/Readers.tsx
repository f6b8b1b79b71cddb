import { counted } from './format.ts';
import { Icon } from './Icon.tsx';

/** The number of components that show something. */
export function Readers({ count }: { count: number }) {
  return (
    <span className="readers" title={`${counted(count, 'reader')} on screen`}>
      <Icon name="eye" />
      <span aria-hidden="true">{count}</span>
      <span className="hidden">{counted(count, 'reader')} on screen</span>
    </span>
  );
}
