/**
 * Compiles a small app against the packed library with every TypeScript that Holdfast promises, as ESM, as
 * CommonJS and for a bundler, with the library's own declarations checked too (`skipLibCheck: false`).
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installIfNeeded, packageChecks, root } from './install.mjs';
import { consumer } from './pack.mjs';
import { binary, node } from './run.mjs';

installIfNeeded(packageChecks);

const compilers = ['typescript-5.0', 'typescript-5.9', 'typescript', 'typescript-7.0'];

const kinds = {
  // Resolves without `exports`. TypeScript 6.0 deprecates it, and 7.0 no longer has it.
  node10: { type: 'commonjs', module: 'commonjs', moduleResolution: 'node' },
  esm: { type: 'module', module: 'nodenext', moduleResolution: 'nodenext' },
  cjs: { type: 'commonjs', module: 'nodenext', moduleResolution: 'nodenext' },
  node16: { type: 'commonjs', module: 'node16', moduleResolution: 'node16' },
  // With the `lib` that the templates of Vite had for a long time.
  bundler: {
    type: 'module',
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2020',
    lib: ['ES2020', 'DOM', 'DOM.Iterable'],
  },
  // A service in Node, which has no types of the DOM.
  service: {
    type: 'module',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['ES2022'],
    types: ['node'],
  },
};

for (const [kind, { type, ...options }] of Object.entries(kinds)) {
  const folder = path.join(consumer, kind);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, '__tests__/types/published'), folder, { recursive: true });
  const write = (name, content) => writeFileSync(path.join(folder, name), JSON.stringify(content, null, 2));
  write('package.json', { name: `consumer-${kind}`, private: true, type });
  write('tsconfig.json', {
    compilerOptions: {
      target: 'es2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      // An app that is itself a library emits declarations: every inferred type must have a public name.
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '.',
      outDir: 'out',
      ...options,
    },
    include: kind === 'service' ? ['service.ts'] : ['*.ts', '*.tsx'],
  });
}

const kindsOf = (compiler) =>
  Object.keys(kinds).filter((kind) => kind !== 'node10' || /5\.\d$/.test(compiler));
const waiting = [...compilers];
let failed = 0;

async function work() {
  for (let compiler = waiting.shift(); compiler !== undefined; compiler = waiting.shift()) {
    const folders = kindsOf(compiler).map((kind) => path.join(consumer, kind));
    // One process for all folders, as a compiler is slow until it is warm; forced, so that it takes nothing that another
    // compiler has written for its own.
    const { code, output } = await node(
      [binary(compiler, 'tsc', packageChecks), '--build', '--force', ...folders],
      {
        capture: true,
      },
    );
    if (code !== 0) failed++;
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${compiler}: ${kindsOf(compiler).join(', ')}`);
    if (output.trim() !== '') console.log(output.trim());
  }
}
await Promise.all([work(), work()]);

process.exitCode = failed === 0 ? 0 : 1;
