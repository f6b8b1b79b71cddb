import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const docs = join(import.meta.dirname, '..');
const api = join(docs, 'api');

const isFolder = (entry) => entry.isDirectory();
const entriesOf = (folder) => readdirSync(folder, { withFileTypes: true });
const titleOf = (folder) => folder[0].toUpperCase() + folder.slice(1).replace('-', ' ');

/** The generated reference: an entry of the package is a group, in it a group for each kind of export. */
export function apiSidebar() {
  if (!existsSync(api)) return [];
  return modules(api).map((folder) => ({
    text: relative(api, folder).replaceAll('\\', '/'),
    link: `/${relative(docs, folder)}/`.replaceAll('\\', '/'),
    collapsed: true,
    items: kinds(folder).map((kind) => ({
      text: titleOf(kind),
      items: readdirSync(join(folder, kind)).map((file) => {
        const name = file.replace('.md', '');
        return { text: name, link: `/${relative(docs, folder)}/${kind}/${name}`.replaceAll('\\', '/') };
      }),
    })),
  }));
}

const kindNames = ['classes', 'functions', 'variables', 'interfaces', 'type-aliases', 'references'];
const kinds = (folder) => kindNames.filter((kind) => existsSync(join(folder, kind)));

/** Folders with an index of their own. */
function modules(folder) {
  const below = entriesOf(folder).filter((entry) => isFolder(entry) && !kindNames.includes(entry.name));
  const own = folder !== api && existsSync(join(folder, 'index.md')) ? [folder] : [];
  return [...own, ...below.flatMap(({ name }) => modules(join(folder, name)))];
}
