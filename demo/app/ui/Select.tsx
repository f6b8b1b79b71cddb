import { useId, type ReactNode } from 'react';
import { Icon } from './Icon.tsx';

export interface Choice {
  id: string;
  name: string;
}

/** The browser's own select, dressed as a button: it works with keyboards, screen readers and phones by itself. */
export function Select({
  label,
  value,
  choices,
  onChange,
  before,
  active = false,
  disabled = false,
  className = '',
}: {
  label: string;
  value: string;
  choices: readonly Choice[];
  onChange: (value: string) => void;
  /** Shown before the value. */
  before?: ReactNode;
  /** Whether the value is other than usual. */
  active?: boolean;
  disabled?: boolean;
  className?: string;
}) {
  const id = useId();
  const known = choices.some((choice) => choice.id === value);
  return (
    <span className={`select ${active ? 'is-active' : ''} ${className}`}>
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      {before && <span className="select-before">{before}</span>}
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {!known && <option value={value}>{value}</option>}
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </select>
      <Icon name="chevronDown" />
    </span>
  );
}
