import { withoutOrigin } from './format.ts';

/** An endpoint key, with its method set apart if it starts with one. */
export function Key({ text }: { text: string }) {
  const [, method, rest] = /^([A-Z]{3,7}) (.*)$/s.exec(text) ?? [];
  if (method === undefined) return <code className="key">{text}</code>;
  return (
    <code className="key">
      <b>{method}</b> {withoutOrigin(rest ?? '')}
    </code>
  );
}
