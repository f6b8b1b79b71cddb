import type { CSSProperties } from 'react';
import type { Label } from '../model/Label.ts';

/** The name in the text's colour, so that every label is readable; its own colour is a dot beside it. */
export function LabelChip({ label }: { label: Label }) {
  return (
    <span className="chip" title={label.description}>
      <span className="chip-dot" style={{ '--dot': label.color } as CSSProperties} />
      {label.name}
    </span>
  );
}
