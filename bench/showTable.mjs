import { say } from './marks.mjs';

/**
 * Prints a line for each scenario: each library's median with the quarter of the samples below and above it, then
 * whether Holdfast is where it is to be.
 *
 * @param {ReturnType<typeof import('./summarize.mjs').summarize>} results
 * @param {{ name: string, title: string }[]} libraries
 */
export function showTable(results, libraries) {
  const head = [
    'row',
    'work (µs per operation unless said)',
    ...libraries.map(({ title }) => title),
    'mark for Holdfast',
  ];
  const body = results.map(({ row, title, libraries: measured, verdicts }) => [
    row,
    title,
    ...libraries.map(({ name }) => (measured[name] === undefined ? '' : cell(measured[name]))),
    verdicts.map(say).join('; '),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => line[column].length)));
  const show = (line) =>
    console.log(`| ${line.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`);
  show(head);
  show(widths.map((width) => '-'.repeat(width)));
  body.forEach(show);
}

const cell = ({ median, p25, p75 }) => `${number(median)} (${number(p25)}–${number(p75)})`;

/** A figure with as many digits as it is worth. @param {number} value */
export const number = (value) =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value >= 10
      ? value.toFixed(1)
      : value.toPrecision(2);
