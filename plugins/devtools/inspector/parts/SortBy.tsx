import { Icon } from './Icon.tsx';

/** The sort order of a list. */
export function SortBy({
  labels,
  value,
  isReversed,
  onChange,
  onReverse,
}: {
  labels: Readonly<Record<string, string>>;
  value: string;
  isReversed: boolean;
  onChange: (value: string) => void;
  onReverse: () => void;
}) {
  return (
    <span className="sort">
      <label className="select">
        <span className="hidden">Sort by</span>
        <select value={value} onChange={({ target }) => onChange(target.value)}>
          {Object.entries(labels).map(([each, label]) => (
            <option key={each} value={each}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className="button icon-only"
        aria-label="The other way round"
        aria-pressed={isReversed}
        title="The other way round"
        onClick={onReverse}
      >
        <Icon name={isReversed ? 'up' : 'down'} />
      </button>
    </span>
  );
}
