import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { blocksOf, readPages, root, type Block } from './blocks.ts';
import { isForeign, modulesOf, type ExampleModule } from './modules.ts';
import { examplesIn, tsdocExamples } from './tsdoc.ts';

// Its own test follows it word by word in an empty folder.
const ELSEWHERE = ['docs/tutorial.md'];

/** What these two apps of examples/ import is installed there alone; their builds check their types. */
const isCode = ({ language, marks }: Block): boolean =>
  (language === 'ts' || language === 'tsx') && !marks.includes('next') && !marks.includes('pwa');

const all = [...readPages()]
  .filter(([page]) => !ELSEWHERE.includes(page))
  .flatMap(([page, text]) => modulesOf(blocksOf(page, text).filter(isCode)));
const [ours = [], foreign = []] = [false, true].map((wanted) =>
  all.filter(({ block }) => isForeign(block) === wanted),
);
const blocksInSources = tsdocExamples();
const inSources = blocksInSources.flatMap((block) => modulesOf([block]));
const wrong = modulesOf(
  blocksOf('docs/wrong.md', '```ts\nconst title: number = await new Controller().ready;\n```'),
);

const siteIsInstalled = existsSync(path.join(root, 'docs/node_modules/@tanstack/react-db'));

describe('the examples of README.md and docs/', () => {
  it('each example starts at the beginning of a line', () => {
    const indented = [...readPages()].filter(([, text]) => /^ +```tsx?\b/m.test(text));
    expect(indented.map(([page]) => page)).toEqual([]);
  });

  it('no line of an example is too wide for the site', () => {
    const blocks = [...readPages()].flatMap(([page, text]) => blocksOf(page, text));
    expect(longLines(blocks.filter(({ language }) => language !== 'mermaid'))).toEqual([]);
  });

  it('the examples compile', () => {
    expect(ours.length).toBeGreaterThan(70);
    expect(complaints(ours)).toEqual([]);
  });

  (siteIsInstalled ? it : it.skip)('the examples that use TanStack Query or TanStack DB compile', () => {
    expect(foreign).toHaveLength(3);
    expect(complaints(foreign)).toEqual([]);
  });

  it('the compile check fails for a wrong example', () => {
    expect(complaints(wrong)).toEqual(["docs/wrong.md:2 Type 'void' is not assignable to type 'number'."]);
  });
});

describe('the examples in TSDoc', () => {
  it('the examples in TSDoc are found', () => {
    const text = '/**\n * A sum.\n * @example\n * sum(1, 2);\n *\n * sum();\n * @throws never\n */\n';
    const [found, ...others] = examplesIn('src/sum.ts', text);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ line: 4, code: 'sum(1, 2);\n\nsum();\n' });
    expect(blocksInSources.length).toBeGreaterThan(75);
  });

  it('no line of a TSDoc example is too wide for the site', () => {
    expect(longLines(blocksInSources)).toEqual([]);
  });

  it('the examples in TSDoc compile', () => {
    expect(complaints(inSources)).toEqual([]);
  });
});

function longLines(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ page, line, code }) =>
    code.split('\n').flatMap((text, index) => (text.length > 80 ? [`${page}:${line + index}`] : [])),
  );
}

let program: ts.Program | undefined;

/** The errors that TypeScript reports for modules, at the lines of their pages. */
function complaints(examples: readonly ExampleModule[]): string[] {
  // One for all tests, because most of the time goes into the types of the library and of Node.
  program ??= compile([...all, ...inSources, ...wrong]);
  const { getSourceFile, getSyntacticDiagnostics, getSemanticDiagnostics } = program;
  return examples.flatMap(({ file, block }) => {
    const source = getSourceFile(file);
    const found = [...getSyntacticDiagnostics(source), ...getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const line = block.line + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
      return `${block.page}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? ''}`;
    });
  });
}

function compile(examples: readonly ExampleModule[]): ts.Program {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  // The imports that are added name types and values alike.
  const loose = { ...options, verbatimModuleSyntax: false, isolatedModules: false };
  const byFile = new Map(examples.map((example) => [example.file, example]));
  const host = ts.createCompilerHost(loose);
  const { getSourceFile, fileExists } = host;
  delete host.directoryExists; // blocks that are files may lie in folders that are not there
  host.fileExists = (file) => byFile.has(path.normalize(file)) || fileExists(file);
  host.getSourceFile = (file, version, ...rest) => {
    const example = byFile.get(path.normalize(file));
    if (example !== undefined) return ts.createSourceFile(file, example.text, version, true);
    return getSourceFile(file, version, ...rest);
  };
  return ts.createProgram([...byFile.keys()], loose, host);
}
