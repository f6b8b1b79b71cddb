const { transformSync } = require('esbuild');

/** Turns ES modules into the CommonJS that Jest runs. */
exports.process = (source) => {
  const { code } = transformSync(source, { format: 'cjs', target: 'es2022' });
  return { code };
};
