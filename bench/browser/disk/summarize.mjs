import { judge } from '../../marks.mjs';
import { spread } from '../../measure.mjs';
import { CHANGES, WARM_UP } from './Adapter.mjs';

/**
 * The figures of each line and library, and whether ours are what they are to be.
 *
 * @param {Iterable<{ line: typeof import('./lines.mjs').lines[number], size: number, libraries: Record<string, { times: number[], longest: number, bytes: number }[]> }>} measured
 */
export function summarize(measured) {
  return [...measured].map(({ line: { work, title, marks }, size, libraries }) => {
    const figures = Object.fromEntries(
      Object.entries(libraries).map(([name, rounds]) => [name, figuresOf(rounds, work)]),
    );
    const verdicts = (marks[size] ?? []).map((mark) =>
      judge(mark, figures.holdfast?.[mark.figure], figures[mark.of]?.[mark.figure]),
    );
    return { work, title, size, libraries: figures, verdicts };
  });
}

function figuresOf(rounds, work) {
  const times = rounds.flatMap((round) => round.times);
  const median = (values) => spread(values).median;
  const operations = work === 'changeOne' ? WARM_UP + CHANGES : 1;
  return {
    ...spread(times),
    longest: median(rounds.map((round) => round.longest)),
    bytes: median(rounds.map((round) => round.bytes)) / operations,
  };
}
