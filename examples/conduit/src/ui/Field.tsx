import type { InputHTMLAttributes, ReactElement } from 'react';

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
}

export function Field({ label, ...input }: FieldProps): ReactElement {
  return (
    <label>
      {label}
      <input {...input} />
    </label>
  );
}
