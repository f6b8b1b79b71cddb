/** Says how many items of a list are not shown, and shows more of them. */
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
