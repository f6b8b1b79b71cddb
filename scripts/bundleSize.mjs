import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';

/**
 * What an app's users load: bundled for production and minified, with React left out.
 *
 * @param {import('esbuild').BuildOptions} options - what to bundle
 * @returns {Promise<{ minified: number, gzipped: number, gzippedAtStart: number }>} bytes; at the start without what
 * `import()` loads later
 */
export async function bundleSize(options) {
  const whole = (await bundle(options)).outputFiles[0].contents;
  const { outputFiles, metafile } = await bundle({ ...options, splitting: true, outdir: 'out' });
  const outputs = Object.entries(metafile.outputs);
  const files = new Set(
    outputs.flatMap(([file, { entryPoint }]) => (entryPoint === '<stdin>' ? [file] : [])),
  );
  for (const file of files)
    for (const { path, kind } of metafile.outputs[file].imports)
      if (kind === 'import-statement' && path in metafile.outputs) files.add(path);
  // As one file, since bundlers split it differently.
  const atStart = Buffer.concat(
    outputs.flatMap(([file], index) => (files.has(file) ? [outputFiles[index].contents] : [])),
  );
  return { minified: whole.length, gzipped: gzipped(whole), gzippedAtStart: gzipped(atStart) };
}

const gzipped = (code) => gzipSync(code, { level: 9 }).length;

function bundle(options) {
  return build({
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    // That of the repository would take `holdfast` for its sources.
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react-dom'],
    logLevel: 'error',
    ...options,
  });
}
