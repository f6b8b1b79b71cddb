import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from './blocks.ts';

interface Option {
  readonly name: string;
  readonly type: string;
  readonly default: string;
  readonly unit: string;
}

interface Section {
  /** Where the interface is. */
  readonly file: string;
  readonly options: ReadonlyMap<string, Option>;
}

const page = readFileSync(path.join(root, 'docs/options.md'), 'utf8');

const sections: readonly Section[] = [
  ...page.matchAll(/<!-- options: (\S+)#\w+ -->([^]*?)<!-- end -->/g),
].map(([, file = '', text = '']) => ({ file, options: optionsIn(text) }));

function optionsIn(table: string): Map<string, Option> {
  const options = new Map<string, Option>();
  for (const row of table.trim().split('\n').slice(2)) {
    const cells = row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [name = '', type = '', preset = '', unit = ''] = cells.map((cell) =>
      cell.replace(/^`(.*)`$/, '$1'),
    );
    options.set(name, { name, type, default: preset, unit });
  }
  return options;
}

const sources = ['src', 'plugins'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) =>
      ts.createSourceFile(name, readFileSync(path.join(root, name), 'utf8'), ts.ScriptTarget.ESNext, true),
    ),
);

/** The value of a literal, or of a constant that is one, as the page writes it. */
function literalOf(value: ts.Expression): string | undefined {
  if (ts.isNumericLiteral(value)) return Number(value.text).toLocaleString('en');
  if (ts.isStringLiteral(value)) return `'${value.text}'`;
  if (value.kind === ts.SyntaxKind.TrueKeyword) return 'true';
  if (value.kind === ts.SyntaxKind.FalseKeyword) return 'false';
  if (ts.isIdentifier(value)) return constants.get(value.text);
  return undefined;
}

const constants = new Map<string, string>();
for (const source of sources) {
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      const value = initializer && literalOf(initializer);
      if (value !== undefined) constants.set(name.getText(), value);
    }
  }
}

/** What the code under a folder uses where an option is not given: `{ attempts = 3 }`, `options.timeout ?? TIMEOUT`. */
function defaultsIn(file: string): [file: string, name: string, value: string][] {
  const folder = path.posix.dirname(file);
  const found: [string, string, string][] = [];
  const add = (source: ts.SourceFile, name: string, value: ts.Expression): void => {
    const literal = literalOf(value);
    if (literal !== undefined) found.push([source.fileName, name, literal]);
  };
  // The plugins of the core are a file each.
  const isOf = (name: string): boolean =>
    folder === 'src/plugins' ? name === file : name.startsWith(`${folder}/`);
  for (const source of sources.filter(({ fileName }) => isOf(fileName))) {
    const visit = (node: ts.Node): void => {
      if (ts.isBindingElement(node) && node.initializer)
        add(source, (node.propertyName ?? node.name).getText(), node.initializer);
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
        /ptions\??\.\w+$/.test(node.left.getText())
      )
        add(source, node.left.getText().replace(/^.*\./s, ''), node.right);
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

describe('docs/options.md', () => {
  it('docs/options.md has the options of the types (node docs/.vitepress/options.mjs writes them)', () => {
    const script = path.join(root, 'docs/.vitepress/options.mjs');
    expect(page).toBe(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' }));
  });

  it('docs/options.md has a table for resources, endpoints, the controller and each plugin', () => {
    expect(sections.filter(({ options }) => options.size === 0)).toEqual([]);
    const interfaces = sources.flatMap(({ fileName, text }) =>
      [...text.matchAll(/^\/\*\* Options of `(\w+)`|^export interface (?:Controller|Resource)Options/gm)].map(
        () => fileName,
      ),
    );
    const missing = interfaces.filter((file) => !sections.some((section) => section.file === file));
    // The options of functions that are neither a plugin nor an endpoint.
    expect(missing.filter((file) => !/testing|backoff|ssr|schema|Controller\.ts/.test(file))).toEqual([]);
  });

  it('docs/options.md states the defaults of the code', () => {
    const wrong: string[] = [];
    const right: string[] = [];
    for (const { file, options } of sections) {
      for (const [place, name, value] of defaultsIn(file)) {
        const option = options.get(name);
        if (option === undefined || value === "''") continue; // an empty text is none
        const isStated = option.default === value || option.default.endsWith(`, ${value}`);
        (isStated ? right : wrong).push(`${file} ${name}: ${value} in ${place}, "${option.default}" here`);
      }
    }
    expect(wrong).toEqual([]);
    expect(right.length).toBeGreaterThan(14);
  });

  it('docs/options.md states the default gcTime of the garbage collector', () => {
    const controller = sections.find(({ options }) => options.has('gcTime'));
    expect(controller?.options.get('gcTime')?.default).toBe(constants.get('GC_TIME'));
  });

  it('docs/options.md states a unit for each number', () => {
    const without = sections
      .flatMap(({ options }) => [...options.values()])
      .filter(({ type, unit }) => /^number$|=> number$/.test(type) && unit === '')
      .map(({ name }) => name);
    // A version counts nothing, and a random number is a part of one.
    expect(new Set(without)).toEqual(new Set(['version', 'random']));
  });

  it('docs/options.md has no type that only the compiler understands', () => {
    expect(page).not.toMatch(/Inferred<|ThisType|\bO\['/);
  });
});
