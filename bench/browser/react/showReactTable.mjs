import { say } from '../../marks.mjs';

/**
 * Prints a line for each line and library: the median of each figure with the quarters of the samples below and above,
 * and how many times the floor that is; then whether Holdfast is where it is to be.
 *
 * @param {ReturnType<typeof import('./summarize.mjs').summarize>} results
 * @param {readonly { name: string, title: string }[]} libraries
 */
export function showReactTable(results, libraries) {
  const width = Math.max(...libraries.map(({ title }) => title.length));
  for (const { title, libraries: measured, verdicts } of results) {
    console.log(`\n${title}`);
    for (const library of libraries) {
      const figures = measured[library.name];
      if (figures !== undefined)
        console.log(`  ${library.title.padEnd(width)}  ${cells(figures, measured.floor).join('   ')}`);
    }
    for (const library of libraries) {
      const said = (verdicts[library.name] ?? []).map(say);
      if (said.length > 0) console.log(`  → ${library.title}: ${said.join('; ')}`);
    }
  }
}

/** Figures of which more is better, or that are exact, are not compared with the floor's. */
const notCompared = new Set(['applied', 'frames', 'list', 'row', 'needless']);

function cells(figures, floor) {
  return Object.entries(figures).map(([figure, { median, p25, p75, least, most }]) => {
    if (figure === 'list' || figure === 'row' || figure === 'needless')
      return `${figure} renders ${least === most ? most : `${least}–${most}`}`;
    const reference = floor?.[figure].median;
    const times = reference > 0 && !notCompared.has(figure) ? ` ${(median / reference).toFixed(2)} ×` : '';
    return `${figure} ${number(median)} (${number(p25)}–${number(p75)})${times}`;
  });
}

const number = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2));
