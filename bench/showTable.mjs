/**
 * Prints a line for each scenario: each library's median with the quarter of the samples below and above it, then
 * what is to be reached.
 *
 * @param {{ row: string, title: string, mark: string, unit: string, libraries: Record<string, { median: number, p25: number, p75: number }> }[]} results
 * @param {{ name: string, title: string }[]} libraries
 */
export function showTable(results, libraries) {
  const head = ['row', 'work (µs per operation unless said)', ...libraries.map(({ title }) => title), 'mark'];
  const body = results.map(({ row, title, mark, libraries: measured }) => [
    row,
    title,
    ...libraries.map(({ name }) => (measured[name] === undefined ? '' : cell(measured[name]))),
    mark,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => line[column].length)));
  const show = (line) =>
    console.log(`| ${line.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`);
  show(head);
  show(widths.map((width) => '-'.repeat(width)));
  body.forEach(show);
}

const cell = ({ median, p25, p75 }) => `${number(median)} (${number(p25)}–${number(p75)})`;

const number = (value) =>
  value >= 100
    ? Math.round(value).toLocaleString('en')
    : value >= 10
      ? value.toFixed(1)
      : value.toPrecision(2);
