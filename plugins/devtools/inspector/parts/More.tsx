/** Tells of what a list does not show, and shows more of it. */
export function More({ shown, of, onMore }: { shown: number; of: string; onMore: () => void }) {
  return (
    <p className="more">
      The first {shown.toLocaleString('en')} of {of}.{' '}
      <button type="button" className="link" onClick={onMore}>
        Show more
      </button>
    </p>
  );
}
