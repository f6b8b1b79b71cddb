import { CHANGES, WARM_UP } from './Adapter.mjs';

/** Prints a line for each piece of work and size: median ms with quartiles, and the longest task of the
 * main thread in brackets. */
export function showDiskTable(results, names) {
  const lines = results.map(({ work, size, libraries }) => [
    `${work} ${size.toLocaleString('en')}`,
    ...names.map((name) => cell(libraries[name], libraries.floor, work)),
  ]);
  const all = [['ms (longest task)', ...names], ...lines];
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  for (const line of all)
    console.log(`| ${line.map((text, column) => text.padEnd(widths[column])).join(' | ')} |`);
}

function cell(taken, floor, work) {
  if (taken === undefined) return '';
  // Only some have anything left to do in idle time.
  const hasRatio = floor !== undefined && floor !== taken && work !== 'settle';
  const ratio = hasRatio ? ` ${(taken.median / floor.median).toFixed(2)}×` : '';
  const spread = `${number(taken.p25)}–${number(taken.p75)}`;
  return `${number(taken.median)} [${spread}] (${number(taken.longest)})${ratio}${written(taken, work)}`;
}

/** The files may shrink too, when the browser tidies up what was written before: then they tell nothing. */
function written({ bytes }, work) {
  if (bytes < 0) return '';
  return work === 'changeOne'
    ? ` ${Math.round(bytes / (WARM_UP + CHANGES)).toLocaleString('en')} B each`
    : ` ${(bytes / 1e6).toFixed(1)} MB`;
}

const number = (value) => (value >= 10 ? Math.round(value).toLocaleString('en') : value.toPrecision(2));
