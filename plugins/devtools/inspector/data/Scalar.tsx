import { useState } from 'react';
import { scalarText } from './values.ts';

/** The number of characters of a text that are shown at first. */
const SHOWN = 400;

/**
 * A value without members.
 *
 * @param limit - the maximum length of a text that cannot be expanded
 */
export function Scalar({ value, limit }: { value: unknown; limit?: number }) {
  if (typeof value !== 'string') return <span className={toneOf(value)}>{scalarText(value)}</span>;
  if (limit === undefined) return <Text text={value} />;
  return <span className="string">“{cut(value, limit)}”</span>;
}

function toneOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value instanceof Date) return 'string';
  return typeof value === 'object' ? 'punctuation' : 'number';
}

function Text({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= SHOWN) return <span className="string">“{text}”</span>;
  return (
    <>
      <span className="string">“{isWhole ? text : cut(text, SHOWN)}”</span>{' '}
      <button type="button" className="link" onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'less' : `all ${text.length.toLocaleString('en')} characters`}
      </button>
    </>
  );
}

function cut(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
