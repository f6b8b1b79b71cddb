import type { ReactElement } from 'react';
import { Link } from '../routing.tsx';

export function Tags({ names }: { readonly names: readonly string[] }): ReactElement | null {
  if (names.length === 0) return null;
  return (
    <ul className="tags">
      {names.map((name) => (
        <li key={name}>
          <Link to={`/?tag=${encodeURIComponent(name)}`}>{name}</Link>
        </li>
      ))}
    </ul>
  );
}
