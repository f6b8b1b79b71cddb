/**
 * The tables of docs/options.md, from the option types and their TSDoc: `node docs/.vitepress/options.mjs` writes them,
 * `--print` only shows the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/options.md');

const parsed = new Map();
function parse(file) {
  if (!parsed.has(file)) {
    const text = readFileSync(join(root, file), 'utf8');
    parsed.set(file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  }
  return parsed.get(file);
}

function interfaceIn(file, name) {
  const found = parse(file).statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );
  if (found === undefined) throw new Error(`${file} has no interface ${name}`);
  return found;
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** The first part of a TSDoc comment, before its tags. */
function description(member) {
  const [doc] = member.jsDoc ?? [];
  return oneLine(ts.getTextOfJSDocComment(doc?.comment) ?? '');
}

/** Type aliases that a reader need not look up. */
const ALIASES = {
  AnyText: 'string',
  AsyncFunction: '(...args) => Promise<unknown>',
  Content: "'json' | 'text' | 'blob' | 'arrayBuffer' | 'stream'",
  Unsent: "'keep' | 'discard'",
  Persist: "'all' | ((item) => boolean)",
  ExemptArgs: 'RegExp | readonly string[] | ((name, value) => boolean)',
  ErrorPolicy: "'soft' | 'hard' | undefined",
  "CollectionOptions['nonFilterArgumentKeys']": 'RegExp | readonly string[] | ((name, value) => boolean)',
  "RestEndpointOptions['appendTo']": 'ListTarget | readonly ListTarget[]',
};

/** A type as a reader would write it: without `undefined`, and functions without the types of their args. */
function typeText(member) {
  if (ts.isMethodSignature(member)) return functionText(member);
  return oneLine(textOf(member.type));
}

function textOf(type) {
  if (ts.isFunctionTypeNode(type)) return functionText(type);
  if (ts.isParenthesizedTypeNode(type)) return textOf(type.type);
  if (ts.isUnionTypeNode(type)) {
    const kept = type.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword);
    if (kept.length === 1) return textOf(kept[0]);
    return kept
      .map((one) => (ts.isParenthesizedTypeNode(one) ? `(${textOf(one)})` : textOf(one)))
      .join(' | ');
  }
  if (ts.isTypeReferenceNode(type)) return ALIASES[type.typeName.getText()] ?? type.getText();
  if (ts.isConstructorTypeNode(type)) return 'class';
  return ALIASES[type.getText()] ?? type.getText();
}

function functionText({ parameters, type }) {
  const names = parameters.map(({ name, dotDotDotToken }) => (dotDotDotToken ? '...' : '') + name.getText());
  return `(${names.join(', ')}) => ${type === undefined ? 'void' : textOf(type)}`;
}

const DEFAULT = /\s*Default: (.+?)\.(?= [A-Z`]|$)/;

const UNITS = [
  [/\bin ms\b/, 'ms'],
  [/\bin bytes\b/, 'bytes'],
  [/\bnumber of (rows|commits|attempts)\b/, undefined],
];

function unitOf(text) {
  for (const [pattern, unit] of UNITS) {
    const match = pattern.exec(text);
    if (match !== null) return unit ?? match[1];
  }
  return '';
}

/**
 * The options of an interface.
 *
 * @returns {{ name: string, type: string, default: string, unit: string, text: string }[]}
 */
function optionsOf(file, name) {
  return interfaceIn(file, name)
    .members.filter((member) => ts.isPropertySignature(member) || ts.isMethodSignature(member))
    .map((member) => {
      const text = description(member);
      return {
        name: member.name.getText(),
        type: typeText(member),
        default: DEFAULT.exec(text)?.[1] ?? (member.questionToken ? '' : 'required'),
        unit: unitOf(text),
        text: text.replace(DEFAULT, '').trim(),
      };
    });
}

const escaped = (text) => text.replaceAll('|', '\\|');

function table(file, name) {
  const rows = optionsOf(file, name).map(
    (option) =>
      `| \`${option.name}\` | \`${escaped(option.type)}\` | ${escaped(option.default)} | ${option.unit} | ${escaped(option.text)} |`,
  );
  return ['| option | type | default | unit | what it is |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The options that an interface of `Omit<…>` leaves out, and does not declare itself. */
function omittedBy(file, name) {
  const { heritageClauses, members } = interfaceIn(file, name);
  const [, names] = heritageClauses[0].types[0].typeArguments;
  const own = new Set(members.map((member) => member.name.getText()));
  return names.types.map(({ literal }) => literal.text).filter((option) => !own.has(option));
}

/** The page with its tables, each between `<!-- options: file#Interface -->` and `<!-- end -->`. */
async function optionsText() {
  const text = readFileSync(page, 'utf8')
    .replaceAll(
      /(<!-- options: (\S+)#(\w+) -->)[^]*?(<!-- end -->)/g,
      (_, begin, file, name, end) => `${begin}\n\n${table(file, name)}\n\n${end}`,
    )
    .replaceAll(
      /(<!-- omitted: (\S+)#(\w+) -->)[^]*?(<!-- end -->)/g,
      (_, begin, file, name, end) =>
        `${begin}\n\n${omittedBy(file, name)
          .map((option) => `\`${option}\``)
          .join(', ')}\n\n${end}`,
    );
  const { code } = await format(page, text, { printWidth: 80 });
  return code;
}

if (process.argv[1] === import.meta.filename) {
  const text = await optionsText();
  if (process.argv.includes('--print')) process.stdout.write(text);
  else writeFileSync(page, text);
}
