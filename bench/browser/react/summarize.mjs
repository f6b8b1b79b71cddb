import { quantile } from '../../measure.mjs';

/**
 * The median of each figure of each line and library, with its quartiles; and for times, how many times the floor's it
 * is.
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
      return { ...line, libraries };
    });
}

function figuresOf(samples) {
  const figures = Object.keys(samples[0]).map((name) => {
    const values = samples.map((sample) => sample[name]);
    const at = (part) => quantile(values, part);
    return [name, { median: at(0.5), p25: at(0.25), p75: at(0.75), samples: values.length }];
  });
  return Object.fromEntries(figures);
}
