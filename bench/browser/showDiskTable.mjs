/** Prints a line for each piece of work and size: median ms, and the longest task of the main thread in brackets. */
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
  const ratio = floor === undefined || floor === taken ? '' : ` ${(taken.median / floor.median).toFixed(2)}×`;
  const bytes =
    work === 'changeOne'
      ? ` ${Math.round(taken.bytes / 40)} B each`
      : ` ${(taken.bytes / 1e6).toFixed(1)} MB`;
  return `${number(taken.median)} (${number(taken.longest)})${ratio}${bytes}`;
}

const number = (value) => (value >= 10 ? Math.round(value).toLocaleString('en') : value.toPrecision(2));
