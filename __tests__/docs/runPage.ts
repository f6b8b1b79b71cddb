import { build, type Plugin } from 'esbuild';
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { compilerOptions } from '../../tsconfig.json';
import { root } from './blocks.ts';
import type { ExampleModule } from './modules.ts';

const examples = path.join(root, 'docs/examples');
const alias = Object.fromEntries(
  Object.entries(compilerOptions.paths).map(([name, [file = '']]) => [name, path.join(root, file)]),
);

/**
 * Runs the examples of a page that are marked `run`, in order, in a Node of their own, with a REST server at hand. Where
 * a statement ends in `// → value`, or the next line is that, it is what it must give; `// → throws CODE` says that it
 * fails.
 *
 * @returns what went wrong; empty where nothing did
 */
export async function runPage(page: string, modules: readonly ExampleModule[]): Promise<string> {
  const wanted = modules.filter(({ block }) => block.marks.includes('run'));
  const outfile = path.join(root, '.tmp/docs', `${page.replaceAll(/\W/g, '-')}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  const code = [
    "import 'fake-indexeddb/auto';",
    "import '#start';",
    ...wanted.map(({ file }) => `import './${path.basename(file)}';`),
    "import '#end';",
  ].join('\n');
  await build({
    stdin: { contents: code, resolveDir: examples },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    jsx: 'automatic',
    alias,
    plugins: [virtual(modules)],
    logLevel: 'silent',
  });
  return runNode(outfile);
}

function virtual(modules: readonly ExampleModule[]): Plugin {
  const texts = new Map(modules.map((module) => [path.basename(module.file), withChecks(module)]));
  const server = `import { server } from '${path.join(__dirname, 'exampleServer.ts').replaceAll('\\', '/')}';`;
  texts.set('#start', `${server}\nserver.listen({ onUnhandledRequest: 'error' });`);
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

/** The module with a check where it says what a statement gives. */
function withChecks({ block, file, text }: ExampleModule): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  let checked = text;
  let checks = 0;
  for (const statement of [...source.statements].reverse()) {
    const end = statement.getEnd();
    const said = text.slice(end).match(/^[ \n]\/\/ → (.+)/)?.[1];
    if (said === undefined) continue;
    const line = block.line + source.getLineAndCharacterOfPosition(statement.getStart()).line;
    const thrown = said.match(/^throws (\w+)$/)?.[1];
    const expected = thrown === undefined ? `{ value: ${said} }` : `{ throws: '${thrown}' }`;
    const check = (code: string): string =>
      `await shows('${block.page}:${line}', async () => ${code}, ${expected});`;
    checks += 1;
    if (ts.isExpressionStatement(statement)) {
      const code = `(${statement.expression.getText()})`;
      checked = checked.slice(0, statement.getStart()) + check(code) + checked.slice(end);
    } else if (ts.isVariableStatement(statement)) {
      const name = statement.declarationList.declarations[0]?.name.getText() ?? '';
      checked = checked.slice(0, end) + check(name) + checked.slice(end);
    } else {
      throw new Error(`${block.page}:${line} says what comes of a statement that gives nothing`);
    }
  }
  const harness = path.join(__dirname, 'shows.ts').replaceAll('\\', '/');
  if (checks !== block.code.split('// →').length - 1)
    throw new Error(
      `${block.page}:${block.line} says "// →" of something that is not a statement of its own`,
    );
  return checks > 0 ? `${checked}import { shows } from '${harness}';\n` : checked;
}

function runNode(file: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], { cwd: root, timeout: 30_000 });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => (output += data.toString()));
    }
    child.on('close', (code, signal) => {
      resolve(code === 0 ? '' : output || `ended by ${String(signal ?? code)}`);
    });
  });
}
