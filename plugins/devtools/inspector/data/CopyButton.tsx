import { useState } from 'react';
import { Icon } from '../parts/Icon.tsx';
import { jsonOf } from './jsonOf.ts';

/** Copies data as JSON. Not rendered where the page may not write to the clipboard, as without HTTPS. */
export function CopyButton({ value, title }: { value: unknown; title: string }) {
  const [told, setTold] = useState('Copy');
  const { clipboard } = navigator as Partial<Navigator>;
  if (clipboard === undefined) return null;
  const copy = (): void => {
    clipboard.writeText(jsonOf(value)).then(
      () => setTold('Copied'),
      () => setTold('Not allowed'),
    );
  };
  return (
    <button
      type="button"
      className="copy"
      aria-label={`${told}: ${title}`}
      onBlur={() => setTold('Copy')}
      onPointerLeave={() => setTold('Copy')}
      onClick={copy}
    >
      <Icon name="copy" />
      {told}
    </button>
  );
}
