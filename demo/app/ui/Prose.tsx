import { Fragment, type ReactNode } from 'react';

/**
 * The little Markdown that people write in issues: headings, lists, quotes, code, bold. It becomes elements, never
 * HTML, so that no text can become anything else.
 */
export function Prose({ text }: { text: string }) {
  if (text.trim() === '') return <p className="muted">No description.</p>;
  return <div className="prose">{blocks(text).map(renderBlock)}</div>;
}

interface Block {
  kind: 'code' | 'text';
  lines: string[];
}

function blocks(text: string): Block[] {
  const found: Block[] = [];
  let open: Block | undefined;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line.startsWith('```')) {
      if (open?.kind === 'code') open = undefined;
      else found.push((open = { kind: 'code', lines: [] }));
    } else if (open?.kind === 'code') {
      open.lines.push(line);
    } else if (line.trim() === '') {
      open = undefined;
    } else {
      if (!open) found.push((open = { kind: 'text', lines: [] }));
      open.lines.push(line);
    }
  }
  return found;
}

function renderBlock({ kind, lines }: Block, index: number): ReactNode {
  if (kind === 'code') {
    return (
      <pre key={index} tabIndex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    );
  }
  const [first = ''] = lines;
  if (/^#{1,4} /.test(first) && lines.length === 1)
    return <h2 key={index}>{inline(first.replace(/^#+ /, ''))}</h2>;
  if (lines.every((line) => /^[-*] /.test(line))) {
    return (
      <ul key={index}>
        {lines.map((line, item) => (
          <li key={item}>{inline(line.slice(2))}</li>
        ))}
      </ul>
    );
  }
  if (lines.every((line) => /^\d+\. /.test(line))) {
    return (
      <ol key={index}>
        {lines.map((line, item) => (
          <li key={item}>{inline(line.replace(/^\d+\. /, ''))}</li>
        ))}
      </ol>
    );
  }
  if (lines.every((line) => line.startsWith('>'))) {
    return <blockquote key={index}>{withBreaks(lines.map((line) => line.replace(/^> ?/, '')))}</blockquote>;
  }
  return <p key={index}>{withBreaks(lines)}</p>;
}

function withBreaks(lines: string[]): ReactNode {
  return lines.map((line, index) => (
    <Fragment key={index}>
      {index > 0 && <br />}
      {inline(line)}
    </Fragment>
  ));
}

function inline(text: string): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (part.startsWith('`') && part.length > 2) return <code key={index}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**') && part.length > 4) return <strong key={index}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
