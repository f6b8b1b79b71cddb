import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';

const root = path.join(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

it('the declarations find the types of React where only what package.json names is installed, as with pnpm', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'strict-'));
  const modules = path.join(folder, 'node_modules');
  const { dependencies, peerDependencies } = JSON.parse(read('package.json')) as Record<
    'dependencies' | 'peerDependencies',
    Record<string, string>
  >;
  try {
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const link = path.join(modules, name);
      mkdirSync(path.dirname(link), { recursive: true });
      symlinkSync(path.join(root, 'node_modules', name), link, 'junction');
    }
    const options = { moduleResolution: ts.ModuleResolutionKind.Bundler };
    const declarations = path.join(modules, 'holdfast/dist/react.d.ts');
    const { resolvedModule } = ts.resolveModuleName('react', declarations, options, ts.sys);
    expect(resolvedModule?.resolvedFileName).toMatch(/@types\/react\/index\.d\.ts$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('scripts/releaseNotes.mjs', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'release-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function notesOf(
    tag: string,
    changelog: string,
    manifest: object = { version: '1.2.3', repository: 'a/b' },
  ): { output: string; problems: string[]; status: number | null } {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
    const script = path.join(root, 'scripts/releaseNotes.mjs');
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, tag, folder], {
      encoding: 'utf8',
    });
    return { output: stdout, problems: stderr.split('\n').filter(Boolean), status };
  }

  const written =
    '# Changelog\n\n## [1.2.3] - 2026-01-31\n\n### Fixed\n\n- A leak.\n\n## [1.2.2] - 2026-01-01\n\n- More.\n';

  it('the release notes are those of the changelog for the version of the tag', () => {
    expect(notesOf('v1.2.3', written)).toEqual({
      output: '### Fixed\n\n- A leak.\n',
      problems: [],
      status: 0,
    });
  });

  it('the release notes fail for a tag of another version', () => {
    expect(notesOf('v1.2.4', written)).toEqual({
      output: '',
      problems: ['The tag is v1.2.4, and package.json has version 1.2.3'],
      status: 1,
    });
  });

  it.each([
    ['has no section', '## [Unreleased]\n\n- More.\n', 'CHANGELOG.md has no section [1.2.3]'],
    ['gives no date', '## [1.2.3]\n\n- More.\n', 'CHANGELOG.md gives no date: write ## [1.2.3] - YYYY-MM-DD'],
    [
      'has only headings',
      '## [1.2.3] - 2026-01-31\n\n### Added\n\n## [1.2.2] - 2026-01-01\n\n- More.\n',
      'CHANGELOG.md says nothing about 1.2.3',
    ],
  ])('the release notes fail if the changelog %s', (_, changelog, problem) => {
    expect(notesOf('v1.2.3', changelog).problems).toEqual([problem]);
  });

  it('the release fails without a repository, which the provenance of a package names', () => {
    expect(notesOf('v1.2.3', written, { version: '1.2.3' }).problems).toEqual([
      'package.json has no "repository", which the provenance refers to',
    ]);
  });
});

describe('the workflows', () => {
  const workflows = readdirSync(path.join(root, '.github/workflows')).map(
    (name) => `.github/workflows/${name}`,
  );
  const texts = workflows.map(read).join('\n');
  const { scripts, engines } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>;
    engines: { node: string };
  };

  it('the workflows run scripts and Jest projects that exist', () => {
    const npmScripts = [...texts.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(npmScripts.filter((name) => !(name in scripts))).toEqual([]);
    const files = [...texts.matchAll(/(?:node |run: )((?:scripts|\.ci)\/[\w.]+)/g)].map(
      ([, file = '']) => file,
    );
    expect(files).toContain('.ci/run');
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const projects = [...texts.matchAll(/project: ([\w-]+)/g)].map(([, name = '']) => name);
    expect(projects).toEqual(['react-18', 'unit']);
    const jest = read('jest.config.mjs');
    expect(projects.filter((name) => !jest.includes(`displayName: '${name}'`))).toEqual([]);
    const steps = [...texts.matchAll(/npm test -- ([\w ]+)/g)].flatMap(([, names = '']) => names.split(' '));
    const known = read('scripts/steps.mjs');
    expect(steps.filter((name) => !new RegExp(`^  ${name}: `, 'm').test(known))).toEqual([]);
  });

  it('the workflows test the oldest Node.js that package.json promises, and three newer ones', () => {
    const oldest = Number(/\d+/.exec(engines.node)?.[0]);
    const matrices = [...read('.github/workflows/ci.yml').matchAll(/node: \[(.+)\]/g)].map(([, list = '']) =>
      list.split(', ').map(Number),
    );
    expect(matrices).toEqual([
      [oldest, oldest + 2, oldest + 4, oldest + 6],
      [oldest, oldest + 2, oldest + 4, oldest + 6],
    ]);
  });

  it('the workflows store no token, and give write access only to the job that publishes', () => {
    expect(texts).not.toMatch(/secrets\.|_authToken/);
    for (const file of workflows) expect(read(file)).toContain('permissions:\n  contents: read\n');
    expect(texts.match(/: write/g)).toHaveLength(2);
  });
});
