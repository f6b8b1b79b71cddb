/**
 * The public entries: name of the built file → source. package.json (`exports`), tsconfig.json (`paths`) and
 * jest.config.mjs (`moduleNameMapper`) say the same in their own words; a test keeps package.json in step.
 */
export const entries = {
  index: 'src/index.ts',
  react: 'src/react.ts',
  testing: 'src/testing.ts',
  indexeddb: 'plugins/indexeddb/index.ts',
  outbox: 'plugins/outbox/index.ts',
  tabs: 'plugins/tabs/index.ts',
  devtools: 'plugins/devtools/index.ts',
};
