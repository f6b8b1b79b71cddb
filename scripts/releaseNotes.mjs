/**
 * What the changelog says about a release: `node scripts/releaseNotes.mjs v1.2.3 [folder]` prints it. Fails if the tag is
 * not the version in package.json, if the changelog has no dated section about it or an empty one, or if package.json
 * names no repository, which the provenance of a published package refers to.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const [tag = '', folder = path.join(import.meta.dirname, '..')] = process.argv.slice(2);
const read = (file) => readFileSync(path.join(folder, file), 'utf8');
const { version, repository } = JSON.parse(read('package.json'));

/** The text below `## [1.2.3] - 2026-01-31`, up to the next such heading. */
function sectionOf(changelog, wanted) {
  const sections = changelog.split(/^## /m).slice(1);
  const own = sections.find((section) => section.startsWith(`[${wanted}]`));
  if (own === undefined) return { problem: `CHANGELOG.md has no section [${wanted}]` };
  const [heading = '', ...lines] = own.split('\n');
  if (!/\] - \d{4}-\d\d-\d\d$/.test(heading))
    return { problem: `CHANGELOG.md gives no date: write ## [${wanted}] - YYYY-MM-DD` };
  const notes = lines.join('\n').trim();
  return notes.replaceAll(/^#+ .*$/gm, '').trim() === ''
    ? { problem: `CHANGELOG.md says nothing about ${wanted}` }
    : { notes };
}

const { notes, problem } = sectionOf(read('CHANGELOG.md'), version);
const problems = [
  tag === `v${version}`
    ? undefined
    : `The tag is ${tag || 'missing'}, and package.json has version ${version}`,
  problem,
  repository === undefined ? 'package.json has no "repository", which the provenance refers to' : undefined,
].filter((one) => one !== undefined);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  console.log(notes);
}
