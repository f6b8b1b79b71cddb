import type { ReactNode } from 'react';

/** A place with nothing in it says why, and what to do. */
export function Empty({
  title,
  heading: Heading = 'h2',
  children,
  action,
}: {
  title: string;
  /** `h1` where nothing else is on the screen. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <svg viewBox="0 0 64 40" className="empty-art" aria-hidden="true">
        <path d="M4 30c5 0 5-4 10-4s5 4 10 4 5-4 10-4 5 4 10 4 5-4 10-4 5 4 6 4M10 37c5 0 5-4 10-4s5 4 10 4 5-4 10-4 5 4 10 4" />
        <circle cx="32" cy="11" r="7" />
        <path d="M32 18v8" />
      </svg>
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
