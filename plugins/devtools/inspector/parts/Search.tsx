import { Icon } from './Icon.tsx';

/** A field to search a list by. */
export function Search({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label className="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          // What is in it goes first, the panel next.
          event.preventDefault();
          onChange('');
        }}
      />
    </label>
  );
}
