import type { Plugin } from 'esbuild';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { compilerOptions } from '../../tsconfig.json';
import { build } from '../support/esbuild.ts';
import { root } from './blocks.ts';
import type { ExampleModule } from './modules.ts';
import { withChecks } from './withChecks.ts';

const examples = path.join(root, 'docs/examples');
const alias = {
  ...Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, [file = '']]) => [name, path.join(root, file)]),
  ),
  // The former cannot be loaded outside of Jest.
  '@jest/globals': 'expect',
};

/**
 * Runs the examples of a page that are marked `run`, in order, in a Node of their own, with a REST server at hand, and
 * with a DOM where one of them is `tsx`. Where a statement ends in `// → value`, or the next line is that, it is what it
 * must give; `// → throws CODE` says that it fails. A module of the page's name in `checks/` is run last, for what the
 * examples cannot show by themselves.
 *
 * @returns what went wrong; empty where nothing did
 */
export async function runPage(page: string, modules: readonly ExampleModule[]): Promise<string> {
  const wanted = modules.filter(({ block }) => block.marks.includes('run'));
  const outdir = path.join(root, '.tmp/docs', path.basename(page, '.md'));
  const code = [
    "import 'fake-indexeddb/auto';",
    "import '#start';",
    ...wanted.map(({ file }) => `import './${path.basename(file)}';`),
    ...checksOf(page).map((file) => `import '${file}';`),
    "import '#end';",
  ].join('\n');
  await build({
    stdin: { contents: code, resolveDir: examples },
    outdir,
    entryNames: 'page',
    outExtension: { '.js': '.mjs' },
    ignoreAnnotations: true, // modules of this package are imported for what they do
    splitting: true, // what is imported later is evaluated later
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    alias,
    plugins: [virtual(modules)],
    logLevel: 'silent',
  });
  const hasDom = wanted.some(({ block }) => block.language === 'tsx');
  return runNode([
    ...(hasDom ? ['--import', path.join(__dirname, 'dom.mjs')] : []),
    path.join(outdir, 'page.mjs'),
  ]);
}

const checksOf = (page: string): string[] =>
  ['ts', 'tsx']
    .map((end) => path.join(__dirname, 'checks', `${path.basename(page, '.md')}.${end}`))
    .filter((file) => existsSync(file))
    .map((file) => file.replaceAll('\\', '/'));

function virtual(modules: readonly ExampleModule[]): Plugin {
  const texts = new Map(modules.map((module) => [path.basename(module.file), withChecks(module)]));
  const server = `import { server, unhandled } from '${path.join(__dirname, 'exampleServer.ts').replaceAll('\\', '/')}';`;
  texts.set('#start', `${server}\nserver.listen({ onUnhandledRequest: unhandled });`);
  // Whoever does not stop a controller, as examples do not, leaves nothing that keeps Node alive.
  texts.set('#end', `${server}\nserver.close();`);
  return {
    name: 'examples',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(?:\.\/|#)/ }, ({ path: wanted }) =>
        texts.has(path.basename(wanted)) ? { path: path.basename(wanted), namespace: 'example' } : undefined,
      );
      onLoad({ filter: /.*/, namespace: 'example' }, ({ path: name }) => ({
        contents: texts.get(name) ?? '',
        loader: 'tsx',
        resolveDir: examples,
      }));
    },
  };
}

/** Runs Node, and gives what it has said; nothing where all went well. */
function runNode(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, timeout: 60_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => (output += data.toString()));
    }
    child.on('close', (code, signal) => {
      resolve(code === 0 ? output : output || `ended by ${String(signal ?? code)}`);
    });
  });
}
