import esbuild from 'rollup-plugin-esbuild';

export default {
  input: { index: 'src/index.ts' },
  external: /^(?:react|react-dom|immer|idb|path-to-regexp)(?:\/|$)/,
  plugins: [esbuild({ target: 'es2022' })],
  output: { dir: 'dist', format: 'esm' },
};
