import { beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root, run } from './consumer.ts';
import { withEsbuild, withVite, withWebpack } from './modes.ts';

const everything = `
  export * from 'holdfast';
  export * from 'holdfast/react';
  export * from 'holdfast/indexeddb';
  export * from 'holdfast/outbox';
  export * from 'holdfast/tabs';`;

/** The text of a node; undefined where it is none, or may be found elsewhere too, as words and error codes are. */
function sentence(node: ts.Node): string | undefined {
  const isText =
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
  const text = isText ? node.text.trim() : '';
  return text.length >= 12 && text.includes(' ') ? text : undefined;
}

/** The sentences of errors that are made in `source`, without what is filled into them. Of one with nothing filled in, the first clause stays. */
function errorTexts(file: string, source: string): string[] {
  const texts: string[] = [];
  const add = (message: ts.Node): void => {
    const text = sentence(message);
    const isWhole = ts.isStringLiteralLike(message);
    if (text !== undefined) texts.push(isWhole ? text.replace(/^[^,;]*/, '') : text);
    if (ts.isBinaryExpression(message)) [message.left, message.right].forEach(add);
    if (ts.isTemplateExpression(message))
      [message.head, ...message.templateSpans.map(({ literal }) => literal)].forEach(add);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'HoldfastError')
      node.arguments?.slice(1, 2).forEach(add);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
  return texts;
}

/** The texts in `source` that stand under `process.env.NODE_ENV !== 'production'`, and those of warnings. */
function developmentTexts(file: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node, guarded: boolean): void => {
    const text = sentence(node);
    if (guarded && text !== undefined) texts.push(text);
    if (ts.isIfStatement(node) && isDevelopmentCheck(node.expression)) {
      visit(node.thenStatement, true);
      if (node.elseStatement !== undefined) visit(node.elseStatement, guarded);
    } else if (ts.isConditionalExpression(node) && isDevelopmentCheck(node.condition)) {
      visit(node.whenTrue, true);
      visit(node.whenFalse, guarded);
    } else {
      const isWarning = ts.isCallExpression(node) && /^warn(?:Once)?$/.test(node.expression.getText());
      ts.forEachChild(node, (child) => {
        visit(child, guarded || isWarning);
      });
    }
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true), false);
  return texts;
}

function isDevelopmentCheck(condition: ts.Expression): boolean {
  return condition.getText().startsWith("process.env.NODE_ENV !== 'production'");
}

const sources = ['src', 'plugins'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(root, folder, name)),
);

const developmentOnly = sources.flatMap((file) => developmentTexts(file, readFileSync(file, 'utf8')));
const errorSentences = sources
  .flatMap((file) => errorTexts(file, readFileSync(file, 'utf8')))
  .filter((text) => text !== '');

/** Bundlers choose the quotes of a text, and with them what is escaped; and whether a bundle has only ASCII. */
const unescaped = (bundle: string): string =>
  bundle
    .replaceAll(/\\(?=[`'"])/g, '')
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

describe.each(Object.entries({ esbuild: withEsbuild, webpack: withWebpack, Vite: withVite }))(
  'an app built with %s',
  (_name, build) => {
    let production: string;
    let development: string;
    beforeAll(async () => {
      const bundles = await Promise.all([build('production', everything), build('development', everything)]);
      [production, development] = bundles.map(unescaped) as [string, string]; // one each
    });
    const missingIn = (bundle: string, texts: readonly string[]): string[] =>
      texts.filter((text) => !bundle.includes(text));

    it('the production bundle contains no messages of development checks', () => {
      // Guards the test itself: the texts are found where they belong.
      expect(missingIn(development, developmentOnly)).toEqual([]);
      expect(developmentOnly.filter((text) => production.includes(text))).toEqual([]);
    });

    it('the development bundle has the whole sentences of errors, and the production bundle none', () => {
      expect(missingIn(development, errorSentences)).toEqual([]);
      expect(errorSentences.filter((text) => production.includes(text))).toEqual([]);
    });

    it('the production bundle reads no process.env and logs no warnings', () => {
      expect(production).toContain('HF_NO_COLLECTION');
      expect(production).not.toContain('process.env');
      expect(production).not.toContain('console.warn');
    });
  },
);

describe('the production bundle', () => {
  it('a production error whose sentence names no value has a short description', () => {
    const program = `process.env.NODE_ENV = 'production';
      const { Endpoint } = await import('holdfast');
      try { new Endpoint((() => async () => 1)()).key(); } catch ({ message }) { console.log(JSON.stringify(message)); }
    `;
    expect(run('module', program)).toBe(
      '[holdfast] An endpoint of an anonymous function has no key (HF_ENDPOINT_NAME)\nnode_modules/holdfast/docs/errors.md#hf_endpoint_name',
    );
  });

  it('error messages of the production bundle have only their subject, code and link', async () => {
    const failing = `
      const api = new RestEndpoint({ path: '/articles', name: 'getArticles' });
      try { api.push; } catch ({ code, message }) { console.log(JSON.stringify({ code, message })); }
    `;
    const program = (mode: string): string =>
      `process.env.NODE_ENV = '${mode}'; const { RestEndpoint } = await import('holdfast'); ${failing}`;
    expect(run('module', program('production'))).toEqual({
      code: 'HF_NO_COLLECTION',
      message:
        '[holdfast] getArticles, push (HF_NO_COLLECTION)\nnode_modules/holdfast/docs/errors.md#hf_no_collection',
    });
    expect(run('module', program('development'))).toEqual({
      code: 'HF_NO_COLLECTION',
      message:
        '[holdfast] getArticles has no Collection in its schema for push; use new Collection([Entity]) (HF_NO_COLLECTION)',
    });
  });

  it('the production bundle contains neither the devtools nor their inspector', async () => {
    const app = (...more: string[]): string => `
      import { Controller } from 'holdfast';
      import { DataProvider } from 'holdfast/react';
      import { devtools, Inspector } from 'holdfast/devtools';
      export { DataProvider };
      export const controller = new Controller({ plugins: [${more[0] ?? ''}] });
      export const tools = ${more[1] ?? 'undefined'};
    `;
    const [development, production, without] = await Promise.all([
      withEsbuild('development', app('devtools()', 'Inspector')),
      withEsbuild('production', app('devtools()', 'Inspector')),
      withEsbuild('production', app()),
    ]);
    expect(development).toContain('Holdfast inspector');
    expect(production).not.toContain('Holdfast inspector');
    expect(production.length - without.length).toBeLessThan(500);
  });
});
