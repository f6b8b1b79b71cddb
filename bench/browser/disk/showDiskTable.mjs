import { say } from '../../marks.mjs';

/**
 * Prints a line for each piece of work, size and library: median ms with quartiles, the longest task of the main thread,
 * how many times the floor that is, and the bytes that the files grew by; then whether Holdfast is where it is to be.
 *
 * @param {ReturnType<typeof import('./summarize.mjs').summarize>} results
 * @param {readonly { name: string, title: string }[]} libraries
 */
export function showDiskTable(results, libraries) {
  const width = Math.max(...libraries.map(({ title }) => title.length));
  for (const { work, title, size, libraries: measured, verdicts } of results) {
    console.log(`\n${title}, ${size.toLocaleString('en')} rows`);
    for (const library of libraries) {
      const taken = measured[library.name];
      if (taken !== undefined)
        console.log(`  ${library.title.padEnd(width)}  ${cells(taken, measured.floor, work).join('   ')}`);
    }
    if (verdicts.length > 0) console.log(`  → Holdfast: ${verdicts.map(say).join('; ')}`);
  }
}

function cells(taken, floor, work) {
  // Only some have anything left to do in idle time.
  const hasRatio = floor !== undefined && floor !== taken && work !== 'settle';
  const ratio = hasRatio ? ` ${(taken.median / floor.median).toFixed(2)} ×` : '';
  return [
    `${number(taken.median)} ms (${number(taken.p25)}–${number(taken.p75)})${ratio}`,
    `longest task ${number(taken.longest)}`,
    // They may shrink too, when the browser tidies up what was written before: then they show nothing.
    ...(taken.bytes > 0 ? [`files grew by ${bytes(taken.bytes)}`] : []),
  ];
}

const number = (value) => (value >= 10 ? Math.round(value).toLocaleString('en') : value.toPrecision(2));
const bytes = (value) =>
  value >= 1e6 ? `${(value / 1e6).toFixed(1)} MB` : `${Math.round(value).toLocaleString('en')} B`;
