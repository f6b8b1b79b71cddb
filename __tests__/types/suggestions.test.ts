import { expect, it } from '@jest/globals';
import path from 'node:path';
import ts from 'typescript';

const root = path.join(__dirname, '../..');
const file = path.join(root, '__tests__/types/suggested.ts');

/** The first expression is on this line of the app, counted from 0. */
const FIRST_LINE = 5;

const misspelt = [
  ["createResource({ path: '/articles/:id', schema: Article, optimstic: true })", 'optimistic'],
  ["new RestEndpoint({ path: '/articles/:id', dataExpiryLenght: 5 })", 'dataExpiryLength'],
  ["new Endpoint(async () => 1, { name: 'get', dataExpiryLenght: 5 })", 'dataExpiryLength'],
  ['get.extend({ dataExpiryLenght: 5 })', 'dataExpiryLength'],
  ["getList.paginated('cursor').extend({ dataExpiryLenght: 5 })", 'dataExpiryLength'],
  ["Resource.extend('get', { dataExpiryLenght: 5 })", 'dataExpiryLength'],
  ['new Endpoint(async () => 1).extend({ pollFrequenzy: 5 })', 'pollFrequency'],
] as const;

/** What the compiler says of each of some expressions in an app. */
function complaintsOf(expressions: readonly string[]): (string | undefined)[] {
  const text = `import { createResource, Endpoint, Entity, RestEndpoint } from 'holdfast';
    class Article extends Entity { id = ''; }
    export const Resource = createResource({ path: '/articles/:id', schema: Article });
    export const { get, getList } = Resource;
    export const all = [\n${expressions.join(',\n')}];`;
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, languageVersion) =>
    name === file ? ts.createSourceFile(name, text, languageVersion) : getSourceFile(name, languageVersion);
  const program = ts.createProgram([file], options, host);
  const complaints: (string | undefined)[] = expressions.map(() => undefined);
  for (const { file: source, start = 0, messageText } of program.getSemanticDiagnostics(
    program.getSourceFile(file),
  )) {
    const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) - FIRST_LINE;
    complaints[line] = ts.flattenDiagnosticMessageText(messageText, '\n');
  }
  return complaints;
}

it('a misspelt option causes a compile error that suggests the right name', () => {
  const complaints = complaintsOf(misspelt.map(([code]) => code));
  expect(complaints).toEqual(
    misspelt.map(([, right]) => expect.stringContaining(`Did you mean to write '${right}'?`)),
  );
});
