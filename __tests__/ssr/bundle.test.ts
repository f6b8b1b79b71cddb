import { expect, it } from '@jest/globals';
import { build } from '../support/esbuild.ts';
import path from 'node:path';

const root = path.join(__dirname, '../..');

/** The sources of this repository that an app with these imports gets into its bundle. */
async function sourcesIn(contents: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    treeShaking: true,
    tsconfig: path.join(root, 'tsconfig.json'),
    absWorkingDir: root,
    external: ['react', 'immer', 'path-to-regexp'],
    logLevel: 'error',
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([name]) => name);
}

it('the server entry adds no code to an app that is not rendered on a server', async () => {
  const app = `import { Controller, createResource, Entity } from 'holdfast';
    import { DataProvider, useSuspense } from 'holdfast/react';
    export { Controller, createResource, Entity, DataProvider, useSuspense };`;
  const hydrated = `${app} import { deserialize } from 'holdfast'; export { deserialize };`;
  expect((await sourcesIn(app)).filter((name) => name.startsWith('src/ssr'))).toEqual([]);
  expect(await sourcesIn(hydrated)).toContain('src/ssr/deserialize.ts');
});
