import type { Plugin } from 'esbuild';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from '../support/esbuild.ts';
import { root } from './blocks.ts';
import { fromDependencies, loader } from './dependencies.ts';
import type { ExampleModule } from './modules.ts';
import { runNode } from './runNode.ts';
import { withChecks } from './withChecks.ts';

const examples = path.join(root, 'docs/examples');

/**
 * Runs the examples of a page that are marked `run`, in order, in their own Node process, with a REST server, and with a
 * DOM if one of them is `tsx`. `// → value`, after a statement or on the next line, states its result, and
 * `// → throws CODE` its error. A module of the page's name in `checks/` runs last, for what the examples cannot show.
 *
 * @param patience - how long to wait for what an example shows on screen, in ms
 * @returns the output of the process; empty if nothing failed
 */
export async function runPage(
  page: string,
  modules: readonly ExampleModule[],
  patience = 60_000,
): Promise<string> {
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
    alias: { '@jest/globals': 'expect' }, // which can be loaded outside of Jest
    plugins: [virtual(modules), fromDependencies],
    logLevel: 'silent',
  });
  const hasDom = wanted.some(({ block }) => block.language === 'tsx');
  return runNode([
    ...['--import', loader],
    ...(hasDom ? ['--import', path.join(__dirname, 'dom.mjs')] : []),
    path.join(outdir, 'page.mjs'),
    String(patience),
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
  // Examples do not stop their controllers. Node ends all the same, because a controller does not keep it alive.
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
