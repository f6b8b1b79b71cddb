/**
 * Prints a line for each line and library: the median of each figure with the quarters of the samples below and above,
 * how many times the floor that is, and what is to be reached.
 *
 * @param {ReturnType<typeof import('./summarize.mjs').summarize>} results
 * @param {readonly string[]} names - of the libraries
 */
export function showReactTable(results, names) {
  for (const { title, mark, renders, libraries } of results) {
    console.log(`\n${title} (mark: ${mark})`);
    for (const name of names) {
      const figures = libraries[name];
      if (figures === undefined) continue;
      const cells = Object.entries(figures).map(([figure, { median, p25, p75 }]) => {
        if (figure === 'list' || figure === 'row')
          return `${figure} renders ${median}${renders === undefined || renders[figure] === median ? '' : ' (!)'}`;
        const floor = libraries.floor?.[figure].median;
        const times =
          floor > 0 && figure !== 'applied' && figure !== 'frames' ? ` ${(median / floor).toFixed(2)} ×` : '';
        return `${figure} ${number(median)} (${number(p25)}–${number(p75)})${times}`;
      });
      console.log(`  ${name.padEnd(18)} ${cells.join('   ')}`);
    }
  }
}

const number = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2));
