/** @import { Random } from './random.mjs' */
/** @typedef {{ start: string, inside: string }} Thing */
/** @typedef {{ title: string, body: string, labels: string[] }} Text */

const failures = [
  'loses its place',
  'shows stale data',
  'flickers',
  'freezes for a second',
  'ignores the first click',
  'throws in the console',
  'sends the request twice',
  'forgets the last choice',
  'shows the wrong time zone',
  'cuts off long names',
  'keeps the spinner forever',
  'shows an empty state by mistake',
  'jumps to the top',
  'is announced twice by screen readers',
  'loses focus',
  'breaks its layout',
  'drops the last change',
  'counts deleted items',
  'times out',
  'asks to sign in again',
];
const conditions = [
  'after a reload',
  'on a slow connection',
  'in Safari',
  'in Firefox',
  'with more than 500 items',
  'when the tab was in the background',
  'on small screens',
  'after switching workspaces',
  'for guests',
  'when two people edit at once',
  'with right-to-left text',
  'in dark mode',
  'right after signing in',
  'when the connection drops',
  'with emoji in the name',
  'after the clock changes',
  'for read-only members',
  'with the keyboard alone',
  'when zoomed to 200%',
  'with an expired session',
];
const additions = [
  'keyboard shortcuts',
  'an empty state',
  'a loading skeleton',
  'a confirm step',
  'a dark variant',
  'bulk actions',
  'filters by date',
  'tracing',
  'an undo',
  'a dry run',
  'retries with backoff',
  'a size limit',
  'sorting',
];
const chores = [
  ['Remove dead code around {thing}', ['tech debt']],
  ['Cover {thing} with end-to-end tests', ['tests']],
  ['Document {thing}', ['docs', 'good first issue']],
  ['Split {thing} out of the main bundle', ['performance', 'tech debt']],
  ['Measure how long {thing} takes at the 95th percentile', ['performance']],
  ['Fix the flaky test of {thing}', ['tests', 'ci']],
  ['Review {thing} for accessibility', ['accessibility']],
  ['Translate the messages of {thing}', ['i18n', 'help wanted']],
  ['Move {thing} off the old queue', ['infrastructure', 'tech debt']],
  ['Threat-model {thing}', ['security']],
];
const impacts = [
  'Three customers wrote to us about it this week.',
  'It happens about once in ten tries here.',
  'Support has a saved reply for it by now.',
  'Nobody reported it, I ran into it while testing something else.',
  'It got worse with the last release.',
  'It is small, but it is the first thing that new people see.',
  'We lose about two hours a week to it.',
  'Reproduced on two machines and in a fresh profile.',
];
const reasons = [
  'This came up in four of the last six interviews.',
  'People work around it with a spreadsheet today.',
  'The largest workspaces ask for it most.',
  'It would let us retire the old settings page.',
  'Two competitors have it, but that is not the point: our own team misses it daily.',
];
const acceptance = [
  'Works with the keyboard alone',
  'Has a loading, an empty and an error state',
  'Strings are translated',
  'Covered by a test that fails without it',
  'Usage shows up on the dashboard',
  'Release note written',
  'Works without a connection, or says clearly that it does not',
  'No change for people who do not use it',
];
const remarks = [
  'I can reproduce this on the current build.',
  'Could not reproduce on staging. Which browser was it?',
  'Same here, and only in the larger workspace.',
  'Looks like the cache is keyed by name instead of by id.',
  'Moved it to the next cycle, we need the design first.',
  'The design is ready, see the attached frames.',
  'I have a branch for this. It needs one more test.',
  'Shipped to 10% of people this morning, no errors so far.',
  'This is the same root cause as the issue we closed last month.',
  'Let us not widen the scope here. I will file the rest separately.',
  'Asked the customer for a recording.',
  'The recording shows it: the second request wins.',
  'Reverted, it broke the older clients.',
  'Good catch. The comparison is off by one at midnight.',
  'I would rather fix the layer below; this is the third symptom of it.',
  'Tested on a phone with a throttled network: much better.',
  'Can we get this into the release on Thursday?',
  'Reviewed. Two small remarks, otherwise good to go.',
  'Numbers before and after: 840 ms, 95 ms.',
  'Verified on production. Closing.',
  'The workaround is to reload, but nobody should have to know that.',
  'Agreed. I will take it.',
  'Waiting for the platform team to answer.',
  'They answered: fine with them as long as the old format still parses.',
];

/**
 * @param {Random} random
 * @param {{ things: Thing[], actions: string[], labels: string[] }} project
 * @returns {Text}
 */
export function issueText(random, project) {
  const kind = random.weighted(
    /** @type {const} */ ([
      ['bug', 5],
      ['feature', 3],
      ['chore', 2],
    ]),
  );
  if (kind === 'bug') return bug(random, random.pick(project.things));
  if (kind === 'feature') return feature(random, project);
  const [pattern, labels] = /** @type {[string, string[]]} */ (random.pick(chores));
  const thing = random.pick(project.things);
  return {
    title: pattern.replace('{thing}', thing.inside),
    body: `${random.pick(impacts)}\n\n${checklist(random)}`,
    labels,
  };
}

/** @param {Random} random */
export function commentText(random) {
  const first = random.pick(remarks);
  if (random.chance(0.7)) return first;
  const second = random.pick(remarks);
  return first === second ? first : `${first}\n\n${second}`;
}

/**
 * @param {Random} random
 * @param {Thing} thing
 * @returns {Text}
 */
function bug(random, thing) {
  const failure = random.pick(failures);
  const condition = random.pick(conditions);
  const build = `${random.between(4, 7)}.${random.between(0, 20)}.${random.between(0, 9)}`;
  const trace = random.chance(0.25)
    ? `\n\n\`\`\`\nError: expected version ${random.between(2, 90)}, found ${random.between(91, 140)}\n    at apply (store.js:${random.between(20, 400)})\n    at flush (queue.js:${random.between(20, 200)})\n\`\`\``
    : '';
  return {
    title: `${thing.start} ${failure} ${condition}`,
    body:
      `${thing.start} ${failure} ${condition}. ${random.pick(impacts)}\n\n` +
      `## Steps\n\n1. Open a workspace ${random.pick(['with some history', 'that has just been made', 'as a guest', 'of the largest plan'])}\n` +
      `2. Use ${thing.inside} ${condition}\n3. Wait a few seconds\n\n` +
      `**Expected:** nothing is lost and nothing moves.\n**Actual:** it ${failure}.\n\n` +
      `Seen in build \`${build}\`.${trace}`,
    labels: [
      'bug',
      ...(random.chance(0.2) ? ['regression'] : []),
      ...(random.chance(0.15) ? ['needs repro'] : []),
    ],
  };
}

/**
 * @param {Random} random
 * @param {{ things: Thing[], actions: string[] }} project
 * @returns {Text}
 */
function feature(random, project) {
  const thing = random.pick(project.things);
  if (random.chance(0.55)) {
    const addition = random.pick(additions);
    return {
      title: `Add ${addition} to ${thing.inside}`,
      body: `${thing.start} has no ${addition.replace(/^an? /, '')} yet. ${random.pick(reasons)}\n\n${checklist(random)}`,
      labels: ['enhancement'],
    };
  }
  const action = random.pick(project.actions);
  const scope = random.pick([
    '',
    ' on small screens',
    ' from the command menu',
    ' through the API',
    ' in shared workspaces',
    ' as a guest',
  ]);
  return {
    title: `Let people ${action}${scope}`,
    body:
      `As a member of a busy workspace I want to ${action}${scope}, so that I do not have to ask somebody else.\n\n` +
      `${random.pick(reasons)}\n\n${checklist(random)}\n\n> Out of scope: anything that needs a new permission.`,
    labels: ['feature', ...(random.chance(0.3) ? ['design'] : [])],
  };
}

/** @param {Random} random */
function checklist(random) {
  const items = random.sample(acceptance, random.between(2, 4));
  return `## Done when\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}
