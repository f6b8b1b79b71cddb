import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';

/**
 * What an app's users load: bundled for production and minified, with React left out.
 *
 * @param {import('esbuild').BuildOptions} options - what to bundle
 * @returns {Promise<{ minified: number, gzipped: number }>} bytes
 */
export async function bundleSize(options) {
  const { outputFiles } = await build({
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // That of the repository would take `holdfast` for its sources.
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react-dom'],
    logLevel: 'error',
    ...options,
  });
  const code = outputFiles[0].contents;
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}
