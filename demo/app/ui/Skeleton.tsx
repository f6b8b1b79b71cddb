/** Grey lines in the shape of what is being loaded. */
export function Skeleton({ rows, kind }: { rows: number; kind: 'rows' | 'detail' | 'comments' | 'cards' }) {
  return (
    <div className={`skeleton skeleton-${kind}`} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-line" />
      ))}
    </div>
  );
}
