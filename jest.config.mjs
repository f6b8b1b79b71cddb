/**
 * Jest runs the sources as CommonJS after a transform by SWC: types are checked by `npm run types`, so here
 * only speed counts. Class fields keep define semantics, as in the published build.
 */

/** React 18, which a step of its own installs. */
const packageChecks = '<rootDir>/scripts/packageChecks';

const transformTypeScript = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' }, useDefineForClassFields: true },
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];
const transformJavaScript = [
  '@swc/jest',
  {
    jsc: { target: 'es2022', parser: { syntax: 'ecmascript', jsx: true } },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

// Dependencies that publish ES modules only: Jest runs CommonJS, so they pass through the transform too.
const esmOnly = [
  'msw',
  '@mswjs',
  'until-async',
  '@open-draft',
  'rettime',
  'strict-event-emitter',
  'outvariant',
  'path-to-regexp',
  'arktype',
  '@ark',
  'arkregex',
];

const common = {
  // Other steps create and delete files in other folders while Jest scans for its own. Jest aborts the whole run if a
  // package.json that it found is gone before it is read.
  roots: ['<rootDir>/__tests__', '<rootDir>/src', '<rootDir>/plugins'],
  modulePathIgnorePatterns: ['<rootDir>/__tests__/everywhere/'],
  testEnvironment: 'node',
  setupFilesAfterEnv: ['<rootDir>/__tests__/patience.ts'],
  transform: {
    '\\.tsx?$': transformTypeScript,
    '\\.m?jsx?$': transformJavaScript,
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${esmOnly.join('|')})/)`],
  moduleFileExtensions: ['ts', 'tsx', 'mts', 'js', 'mjs', 'cjs', 'json'],
  moduleNameMapper: {
    '^holdfast$': '<rootDir>/src/index.ts',
    '^holdfast/react$': '<rootDir>/src/react.ts',
    '^holdfast/testing$': '<rootDir>/src/testing.ts',
    '^holdfast/indexeddb$': '<rootDir>/plugins/indexeddb/index.ts',
    '^holdfast/outbox$': '<rootDir>/plugins/outbox/index.ts',
    '^holdfast/tabs$': '<rootDir>/plugins/tabs/index.ts',
    '^holdfast/devtools$': '<rootDir>/plugins/devtools/index.ts',
  },
};

const inNode = { ...common, setupFiles: ['<rootDir>/__tests__/withoutNodeLocks.ts'] };
const inBrowsers = { ...common, testEnvironment: '<rootDir>/__tests__/browser/environment.ts' };

const testFiles = (folder) => [`<rootDir>/__tests__/${folder}**/*.test.{ts,tsx}`];

export default {
  // Far beyond what any test takes: no test is timed, also not on a busy machine. Jest looks for it here only.
  testTimeout: 300_000,
  // The heap of a worker grows with each file, and with it the time for garbage collection: a new worker is faster.
  workerIdleMemoryLimit: '400MB',
  projects: [
    {
      ...inNode,
      displayName: 'unit',
      testMatch: testFiles(''),
      testPathIgnorePatterns: [
        '/node_modules/',
        '<rootDir>/__tests__/(?:browser|built|examples|nextjs|pwa|site)/',
      ],
    },
    {
      ...inNode,
      displayName: 'react-18',
      testMatch: testFiles('react/'),
      moduleNameMapper: {
        ...common.moduleNameMapper,
        '^(react(?:-dom)?)$': `${packageChecks}/node_modules/$1`,
        '^(react(?:-dom)?)/(.*)$': `${packageChecks}/node_modules/$1/$2`,
      },
    },
    // Those below need what `npm test` makes first: the packed build, a Chromium, the built documentation.
    { ...common, displayName: 'built', testMatch: testFiles('built/'), moduleNameMapper: {} },
    { ...inBrowsers, displayName: 'examples', testMatch: testFiles('examples/') },
    { ...inBrowsers, displayName: 'browser', testMatch: testFiles('browser/') },
    { ...inBrowsers, displayName: 'pwa', testMatch: testFiles('pwa/') },
    { ...inBrowsers, displayName: 'site', testMatch: testFiles('site/') },
    // Of `npm run test:everywhere`.
    { ...inBrowsers, displayName: 'nextjs', testMatch: testFiles('nextjs/') },
  ],
};
