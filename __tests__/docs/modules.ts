import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { compilerOptions } from '../../tsconfig.json';
import { root, type Block } from './blocks.ts';

/** A block as a module that compiles by itself. */
export interface ExampleModule {
  readonly block: Block;
  /** Where it would lie, beside the examples that are files. */
  readonly file: string;
  /** The block, line for line, with what it leaves out behind its end. */
  readonly text: string;
  /** Whether it is what stands in a component, up to its `return`. */
  readonly isBody: boolean;
}

/** Whether a block is in the words of TanStack Query or TanStack DB, to be seen beside ours. The docs site has what it imports. */
export const isForeign = ({ marks }: Block): boolean => marks.includes('tanstack');

/** What examples may use of other packages without an import. */
const OTHERS: Readonly<Record<string, string>> = {
  expect: '@jest/globals',
  renderToString: 'react-dom/server',
  waitFor: '@testing-library/react',
  createRoot: 'react-dom/client',
  hydrateRoot: 'react-dom/client',
  renderToPipeableStream: 'react-dom/server',
  renderToReadableStream: 'react-dom/server',
  ...Object.fromEntries(
    ['startTransition', 'Suspense', 'use', 'useEffect', 'useMemo', 'useState', 'useTransition'].map(
      (name) => [name, 'react'],
    ),
  ),
};

const examples = path.join(root, 'docs/examples');
const PRELUDE = path.join(examples, 'prelude.tsx');

/**
 * Makes modules of the blocks of one page. A name that a block does not declare comes from an earlier block of the
 * page, else from the source file that it stands in, else from `docs/examples/prelude.tsx`, else from Holdfast; the imports
 * are added at the end. A block that is marked with a path, such as `app/page.tsx`, is that file for the imports of others.
 */
export function modulesOf(blocks: readonly Block[]): ExampleModule[] {
  const prelude = exportsOf('docs/examples/prelude.tsx');
  const library = libraryNames();
  /** Where the page so far has each name from: a package or a file. */
  const known = new Map<string, string>();
  const modules: ExampleModule[] = [];
  for (const block of blocks) {
    const ownName = `${block.page.replaceAll('/', '-')}.${block.line}.${block.language}`;
    const file = path.join(examples, block.marks.find((mark) => mark.includes('/')) ?? ownName);
    const source = parse(file, block.code);
    const own = block.page.endsWith('.md') ? new Set<string>() : exportsOf(block.page);
    const { declared, imported } = namesIn(source);

    const imports = new Map<string, string>();
    const isShown = block.language === 'tsx' && block.marks.includes('run');
    for (const used of [...identifiersIn(source), ...(isShown ? ['controller'] : [])]) {
      if (declared.has(used) || imported.has(used)) continue;
      const from =
        known.get(used) ??
        (own.has(used) ? path.join(root, block.page) : undefined) ??
        (prelude.has(used) ? PRELUDE : undefined) ??
        library.get(used) ??
        OTHERS[used];
      if (from !== undefined) imports.set(used, from);
    }

    const isBody = source.statements.some(ts.isReturnStatement);
    const code = isBody ? `export function Example() { ${block.code}}` : block.code;
    const lines = [...imports].map(([used, from]) => {
      const specifier = path.isAbsolute(from) ? relative(path.dirname(file), from) : from;
      return `import { ${used} } from '${specifier}';`;
    });
    const exported = isBody ? [] : [...declared].filter(([, isExported]) => !isExported).map(([key]) => key);
    modules.push({
      block,
      file,
      text: `${code}\n${lines.join('\n')}\nexport { ${exported.join(', ')} };\n`,
      isBody,
    });
    if (isBody || isForeign(block)) continue;
    for (const declaredName of declared.keys()) known.set(declaredName, file);
    for (const [importedName, from] of imported)
      known.set(importedName, from.startsWith('.') ? path.join(path.dirname(file), from) : from);
  }
  return modules;
}

function relative(folder: string, file: string): string {
  const specifier = path.relative(folder, file).replaceAll(path.sep, '/');
  return specifier.startsWith('.') ? specifier : `./${specifier}`;
}

function parse(name: string, code: string): ts.SourceFile {
  return ts.createSourceFile(name, code, ts.ScriptTarget.ESNext, true);
}

/** What stands at the top of a module: what it declares, and whether that is exported; what it imports, and from where. */
function namesIn({ statements }: ts.SourceFile): {
  declared: Map<string, boolean>;
  imported: Map<string, string>;
} {
  const declared = new Map<string, boolean>();
  const imported = new Map<string, string>();
  for (const statement of statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text; // always one in code that parses
      const { name, namedBindings } = statement.importClause ?? {};
      if (name !== undefined) imported.set(name.text, from);
      if (namedBindings !== undefined && ts.isNamedImports(namedBindings))
        for (const element of namedBindings.elements) imported.set(element.name.text, from);
      continue;
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        for (const bound of boundNames(name)) declared.set(bound, isExported);
      }
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      if (statement.name !== undefined) declared.set(statement.name.text, isExported);
    }
  }
  return { declared, imported };
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}

/** Every name in use that may be one of the module's: neither members of objects nor keys in them. */
function identifiersIn(source: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isMember =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node) ||
        ts.isJsxAttribute(parent);
      if (!isMember) names.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function exportsOf(file: string): Set<string> {
  const { statements } = parse(file, readFileSync(path.join(root, file), 'utf8'));
  const names = new Set<string>();
  for (const statement of statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      if (exportClause !== undefined && ts.isNamedExports(exportClause))
        for (const { name } of exportClause.elements) names.add(name.text);
    }
  }
  for (const [name, isExported] of namesIn(parse(file, readFileSync(path.join(root, file), 'utf8'))).declared)
    if (isExported) names.add(name);
  return names;
}

/** Each public name of Holdfast, with the entry that it is imported from. */
function libraryNames(): Map<string, string> {
  const names = new Map<string, string>();
  for (const [from, files] of Object.entries(compilerOptions.paths)) {
    for (const name of files.flatMap((file) => [...exportsOf(file)])) names.set(name, from);
  }
  return names;
}
