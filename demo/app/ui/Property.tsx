import type { ReactNode } from 'react';

/** A field beside the text of an issue, in a list with the class `properties`. */
export function Property({
  name,
  wide = false,
  children,
}: {
  name: string;
  /** Whether it is wider than one column. */
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={wide ? 'property-wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
