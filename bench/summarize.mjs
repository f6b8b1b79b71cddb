import { judge } from './marks.mjs';
import { spread } from './measure.mjs';

/**
 * The median of each row and library, with its quartiles, and whether ours are what they are to be.
 *
 * @param {{ scenario: import('./scenarios.mjs').Scenario, samples: Map<string, number[]> }[]} lines
 */
export function summarize(lines) {
  const rows = lines
    .filter(({ samples }) => samples.size > 0)
    .map(({ scenario, samples }) => ({
      scenario,
      libraries: Object.fromEntries([...samples].map(([name, all]) => [name, spread(all)])),
    }));
  const oursAt = new Map(rows.map(({ scenario, libraries }) => [scenario.row, libraries.holdfast?.median]));
  return rows.map(({ scenario: { row, title, marks, unit = 'µs' }, libraries }) => ({
    row,
    title,
    unit,
    libraries,
    verdicts: marks.map((mark) =>
      judge(
        mark,
        libraries.holdfast?.median,
        mark.of === undefined ? oursAt.get(mark.row) : libraries[mark.of]?.median,
      ),
    ),
  }));
}
