import { posix } from 'node:path';
import { addressOf, copies } from './pages.mjs';

const originals = new Map(Object.entries(copies).map(([original, copy]) => [copy, original]));

/**
 * A markdown-it plugin. Pages link to files, so that the links work wherever the repository is looked at; the site
 * needs addresses. A link to a file that the site does not show, such as a source, becomes plain text.
 */
export function linksToFiles(md) {
  md.core.ruler.push('links to files', ({ tokens, env }) => {
    const source = originals.get(env.relativePath) ?? `docs/${sourceOf(env.relativePath)}`;
    for (const { children } of tokens) {
      for (const [index, token] of (children ?? []).entries()) {
        if (token.type !== 'link_open') continue;
        const href = token.attrGet('href');
        if (/^([a-z]+:|#|\/)/.test(href)) continue;
        const [path, hash] = href.split('#');
        const address = addressOn(posix.join(posix.dirname(source), path));
        if (address !== undefined) token.attrSet('href', hash === undefined ? address : `${address}#${hash}`);
        else unlink(children, index);
      }
    }
  });
}

const sourceOf = (page = '') => page.replace(/(^|\/)index\.md$/, '$1README.md');

function addressOn(file) {
  if (file in copies) return addressOf(copies[file]);
  return file.startsWith('docs/') && file.endsWith('.md') ? addressOf(file.slice('docs/'.length)) : undefined;
}

function unlink(children, index) {
  const end = children.findIndex(({ type }, place) => place > index && type === 'link_close');
  for (const place of [index, end])
    Object.assign(children[place], { type: 'text', tag: '', nesting: 0, content: '' });
}
