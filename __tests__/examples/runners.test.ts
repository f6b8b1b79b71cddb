import { describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Terminal } from './Terminal.ts';

/** Below the unpacked package, as an app that has installed it. */
const folder = path.join(__dirname, '../../.tmp/consumer/runners');
const written = path.join(__dirname, 'runners/articles.jsx');
const cases = [...readFileSync(written, 'utf8').matchAll(/^it\('(.+)'/gm)].map(([, name = '']) => name);

const configs = {
  'vitest.config.mjs': `export default { test: { environment: 'jsdom', globals: true } };`,
  'jest.config.mjs': `export default {
    testEnvironment: 'jsdom',
    transform: { '\\\\.jsx$': ['@swc/jest', { jsc: { parser: { syntax: 'ecmascript', jsx: true }, transform: { react: { runtime: 'automatic' } } }, module: { type: 'commonjs' } }] },
  };`,
  'package.json': '{ "name": "runners", "private": true }',
};

describe('a test written with holdfast/testing', () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(written, path.join(folder, 'articles.test.jsx'));
  for (const [name, content] of Object.entries(configs)) writeFileSync(path.join(folder, name), content);
  const terminal = new Terminal(folder);

  it.each(['npx vitest run --reporter=verbose', 'npx jest --verbose'])(
    'a test written with holdfast/testing passes in %s',
    async (command) => {
      const output = await terminal.run(command);
      expect(cases).toHaveLength(5);
      for (const name of cases) expect(output).toMatch(new RegExp(`✓.*${name}`));
      expect(output).not.toMatch(/not wrapped in act|\[holdfast\]/);
    },
  );
});
