import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { groups } from './pages.mjs';

const docs = join(import.meta.dirname, '..');
const read = (file) => readFileSync(join(docs, file), 'utf8').trim();

const introduction = `# Holdfast

> The client-side data layer for offline-capable React apps that talk to REST servers: a normalized, persistent store
> with endpoints, Suspense hooks, an outbox for offline mutations, and live sync between tabs.

Imports: \`holdfast\` (entities, schemas, endpoints, \`createResource\`, \`Controller\`), \`holdfast/react\` (provider, hooks,
boundaries), \`holdfast/indexeddb\`, \`holdfast/outbox\`, \`holdfast/tabs\`, \`holdfast/devtools\`, \`holdfast/testing\`.`;

/**
 * The list of pages for language models, in the format of llms.txt.
 *
 * @param {(file: string) => string} addressOf - where a page is, by its path in `docs/`
 */
export function llmsText(addressOf) {
  const sections = groups.map(({ title, pages }) => {
    const lines = pages.map(([file, name, description]) => `- [${name}](${addressOf(file)}): ${description}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

/** All pages as one text. */
export function llmsFullText() {
  const pages = groups.flatMap(({ pages }) => pages.map(([file]) => read(file)));
  return `${[introduction, ...pages].join('\n\n---\n\n')}\n`;
}

/** Writes `llms.txt` and `llms-full.txt` into the built site, and each page as Markdown for the first to link to. */
export function writeLlmsTexts(site) {
  writeFileSync(
    join(site, 'llms.txt'),
    llmsText((file) => `/${file}`),
  );
  writeFileSync(join(site, 'llms-full.txt'), llmsFullText());
  for (const { pages } of groups) {
    for (const [file] of pages) writeFileSync(join(site, file), `${read(file)}\n`);
  }
}

// `node docs/.vitepress/llms.mjs` writes the one of the repository; `--print` only shows it.
if (process.argv[1] === import.meta.filename) {
  const text = llmsText((file) => `docs/${file}`);
  if (process.argv.includes('--print')) process.stdout.write(text);
  else writeFileSync(join(docs, '../llms.txt'), text);
}
