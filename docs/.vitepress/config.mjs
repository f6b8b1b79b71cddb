import { defineConfig } from 'vitepress';
import { apiSidebar } from './apiSidebar.mjs';
import { diagrams } from './diagrams.mjs';
import { writeLlmsTexts } from './llms.mjs';
import { linksToFiles } from './links.mjs';
import { addressOf, groups } from './pages.mjs';

const links = (pages) => pages.map(([file, text]) => ({ text, link: addressOf(file) }));

/**
 * Ranks guides above the thousand parameters of the API reference, and those above history. The site sends the text of
 * this function to the browser, so it refers to nothing outside of itself.
 *
 * @param {string} id - the address of a section
 */
const boostDocument = (id) => (/\/(repository|decisions)\//.test(id) ? 0.1 : id.includes('/api/') ? 0.2 : 1);

export default defineConfig({
  title: 'Holdfast',
  description: 'The client-side data layer for offline-capable React apps that talk to REST servers.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  srcExclude: ['examples/**', 'node_modules/**'],
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  // Light and dark must be readable; VitePress's own themes for code are not, in comments.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      md.use(linksToFiles);
      md.use(diagrams);
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch: { searchOptions: { boostDocument } } } },
    outline: [2, 3],
    nav: [
      { text: 'Install', link: '/install' },
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Concepts', link: '/entities' },
      { text: 'Guides', link: '/auth' },
      { text: 'Options', link: '/options' },
      { text: 'API', link: '/api/' },
      { text: 'Errors', link: '/errors' },
    ],
    sidebar: {
      '/api/': [{ text: 'All guides', link: '/' }, ...apiSidebar()],
      '/': [
        ...groups.map(({ title, pages }) => ({
          text: title,
          items: [
            ...links(pages),
            ...(title === 'Reference' ? [{ text: 'API', link: '/api/' }] : []),
            ...(title === 'Internals'
              ? [
                  { text: 'Contributing', link: '/repository/contributing' },
                  { text: 'Changelog', link: '/repository/changelog' },
                ]
              : []),
          ],
        })),
      ],
    },
  },
  buildEnd: ({ outDir }) => writeLlmsTexts(outDir),
});
