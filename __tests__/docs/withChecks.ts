import path from 'node:path';
import ts from 'typescript';
import type { ExampleModule } from './modules.ts';

const harness = (file: string): string => path.join(__dirname, file).replaceAll('\\', '/');

/**
 * The module with a check where it says what a statement gives: `// → value` behind it or on the next line. Of JSX, of
 * `root.render(…)` and of the body of a component it says the text that is seen.
 */
export function withChecks({ block, file, text, isBody }: ExampleModule): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX);
  const place = (position: number): string =>
    `${block.page}:${block.line + source.getLineAndCharacterOfPosition(position).line}`;
  const rendered = (start: number, element: string, said: string): string =>
    `await showsOnScreen('${place(start)}', controller, ${element}, ${said});`;

  let checked = text;
  let checks = 0;
  for (const statement of [...source.statements].reverse()) {
    const [start, end] = [statement.getStart(), statement.getEnd()];
    const said = text.slice(end).match(/^[ \n]\/\/ → (.+)/)?.[1];
    if (said === undefined) continue;
    checks += 1;
    const element = elementOf(statement);
    const thrown = said.match(/^throws (\w+)$/)?.[1];
    const expected = thrown === undefined ? `{ value: ${said} }` : `{ throws: '${thrown}' }`;
    const check = (code: string): string =>
      `await shows('${place(start)}', async () => ${code}, ${expected});`;
    if (element !== undefined) {
      checked = checked.slice(0, start) + rendered(start, element, said) + checked.slice(end);
    } else if (ts.isExpressionStatement(statement)) {
      checked = checked.slice(0, start) + check(`(${statement.expression.getText()})`) + checked.slice(end);
    } else if (ts.isVariableStatement(statement)) {
      const name = statement.declarationList.declarations[0]?.name.getText() ?? '';
      checked = checked.slice(0, end) + check(name) + checked.slice(end);
    } else {
      throw new Error(`${place(start)} says what comes of a statement that gives nothing`);
    }
  }
  const seen = isBody ? block.code.match(/\/\/ → (.+)\n$/)?.[1] : undefined;
  if (seen !== undefined) {
    checks += 1;
    checked += `${rendered(0, '<Example />', seen)}\n`;
  }
  if (checks !== block.code.split('// →').length - 1)
    throw new Error(`${place(0)} says "// →" of something that is not a statement of its own`);
  if (checked.includes('await shows(')) checked += `import { shows } from '${harness('shows.ts')}';\n`;
  if (checked.includes('await showsOnScreen('))
    checked += `import { showsOnScreen } from '${harness('showsOnScreen.tsx')}';\n`;
  return checked;
}

/** What a statement renders: it is JSX, or gives JSX to `root.render`. */
function elementOf(statement: ts.Statement): string | undefined {
  if (!ts.isExpressionStatement(statement)) return undefined;
  const { expression } = statement;
  if (ts.isCallExpression(expression) && expression.expression.getText() === 'root.render')
    return expression.arguments[0]?.getText();
  const isJsx =
    ts.isJsxElement(expression) || ts.isJsxSelfClosingElement(expression) || ts.isJsxFragment(expression);
  return isJsx ? expression.getText() : undefined;
}
