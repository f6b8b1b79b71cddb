import { judge } from '../../marks.mjs';
import { spread } from '../../measure.mjs';

/**
 * The median of each figure of each line and library, with its quartiles, and whether ours are what they are to be.
 *
 * @param {readonly import('./lines.mjs').Line[]} lines
 * @param {Map<string, Map<string, Record<string, number>[]>>} taken - line → library → samples
 */
export function summarize(lines, taken) {
  return lines
    .filter(({ name }) => taken.get(name).size > 0)
    .map((line) => {
      const libraries = Object.fromEntries(
        [...taken.get(line.name)].map(([library, samples]) => [library, figuresOf(samples)]),
      );
      return { ...line, libraries, verdicts: verdictsOf(line, libraries) };
    });
}

function figuresOf(samples) {
  const figures = Object.keys(samples[0]).map((name) => {
    const values = samples.map((sample) => sample[name]);
    return [name, { ...spread(values), least: Math.min(...values), most: Math.max(...values) }];
  });
  return Object.fromEntries(figures);
}

/** Those of ours, by the name of the adapter: there is one for each of the hooks that may read a row. */
function verdictsOf({ marks, renders = {} }, libraries) {
  const ours = Object.entries(libraries).filter(([name]) => name.startsWith('holdfast'));
  return Object.fromEntries(
    ours.map(([name, figures]) => [
      name,
      [
        ...marks.map((mark) =>
          judge(mark, figures[mark.figure]?.median, libraries[mark.of]?.[mark.figure]?.median),
        ),
        ...Object.entries(renders).map(([figure, exactly]) => {
          const { least, most } = figures[figure];
          return {
            mark: `${figure} renders = ${exactly}`,
            isMet: least === exactly && most === exactly,
            ratio: most / exactly,
          };
        }),
      ],
    ]),
  );
}
