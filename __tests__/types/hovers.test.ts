import { expect, it } from '@jest/globals';
import path from 'node:path';
import ts from 'typescript';

const root = path.join(__dirname, '../..');
const file = path.join(root, '__tests__/types/hovered.ts');

const app = `import { Aggregate, Controller, Entity, Select } from 'holdfast';
class Task extends Entity { id = ''; title = ''; state = 'open'; due = new Date(); }
const controller = new Controller();
export const openTasks = new Select(Task, {
  where: ({ text }: { text: string }) => ({ state: 'open', title: { contains: text } }),
  limit: 50,
});
export const counts = new Aggregate(Task, { groupBy: 'state', values: { n: 'count', last: { max: 'due' } } });
export const total = new Aggregate(Task, { values: { n: 'count' } });
export const shownTasks = controller.get(openTasks, { text: 'milk' });
export const shownCounts = controller.get(counts);
export const shownTotal = controller.get(total);
`;

/** What an editor shows for a name in the app. */
function hoversOf(names: readonly string[]): (string | undefined)[] {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const read = (name: string): string | undefined => (name === file ? app : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
  });
  return names.map((name) => {
    const at = app.indexOf(`const ${name} `) + 'const '.length;
    return ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts);
  });
}

it('an editor shows the result of a live query as an app would write its type', () => {
  expect(hoversOf(['shownTasks', 'shownTotal', 'shownCounts'])).toEqual([
    'const shownTasks: Task[] | undefined',
    'const shownTotal: {\n    readonly n: number;\n} | undefined',
    'const shownCounts: Readonly<Record<string, {\n    readonly n: number;\n    readonly last: Date | undefined;\n}>> | undefined',
  ]);
});

it('an editor shows the source, the args and the condition of a live query', () => {
  const lines = hoversOf(['openTasks', 'total']).map((hover) => hover?.replaceAll(/\s+/g, ' '));
  expect(lines).toEqual([
    'const openTasks: Select<typeof Task, [{ text: string; }], { state: string; title: { contains: string; }; }>',
    'const total: Aggregate<typeof Task, { readonly n: "count"; }, readonly [], never, unknown>',
  ]);
});
