import type { ReactElement } from 'react';

export function Spinner(): ReactElement {
  return (
    <p className="spinner" role="status">
      Loading …
    </p>
  );
}
