import type { ReactNode } from 'react';

/** A word about the form or list below it. */
export function Notice({
  tone = 'plain',
  action,
  children,
}: {
  tone?: 'plain' | 'warning';
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`} role={tone === 'warning' ? 'alert' : 'status'}>
      <p>{children}</p>
      {action}
    </div>
  );
}
