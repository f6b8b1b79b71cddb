module.exports = {
  testEnvironment: process.env.ENVIRONMENT,
  testMatch: ['<rootDir>/dom.test.mjs'],
  moduleFileExtensions: ['mjs', 'js', 'cjs', 'json'],
  transform: { '\\.mjs$': require.resolve('./esbuild.cjs') },
  setupFiles: process.env.SETUP ? [process.env.SETUP] : [],
};
