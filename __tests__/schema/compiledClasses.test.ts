import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { transformSync } from '@swc/core';
import { http, HttpResponse } from 'msw';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import * as holdfast from 'holdfast';
import type * as App from '../support/compiledApp.ts';
import { startServer } from '../support/server.ts';

const { Controller, Endpoint } = holdfast;
const server = startServer();
const source = readFileSync(path.join(__dirname, '../support/compiledApp.ts'), 'utf8');

function load(code: string): typeof App {
  const exports: object = {};
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is our own
  const run = new Function('exports', 'require', code) as (exports: object, require: () => unknown) => void;
  run(exports, () => holdfast);
  return exports as typeof App; // compiled from it
}

function byTypeScript(target: ts.ScriptTarget, useDefineForClassFields: boolean): string {
  const module = ts.ModuleKind.CommonJS;
  const compilerOptions = { target, module, useDefineForClassFields, experimentalDecorators: true };
  return ts.transpileModule(source, { compilerOptions }).outputText;
}

function bySwc(target: 'es5' | 'es2015' | 'es2022', useDefineForClassFields: boolean): string {
  return transformSync(source, {
    filename: 'app.ts',
    jsc: {
      target,
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, useDefineForClassFields },
    },
    module: { type: 'commonjs' },
  }).code;
}

const compiled: readonly (readonly [string, () => string])[] = [
  ['TypeScript to ES2022', () => byTypeScript(ts.ScriptTarget.ES2022, true)],
  ['TypeScript to ES2022, fields assigned', () => byTypeScript(ts.ScriptTarget.ES2022, false)],
  ['TypeScript to ES2015', () => byTypeScript(ts.ScriptTarget.ES2015, true)],
  ['TypeScript to ES2015, fields assigned', () => byTypeScript(ts.ScriptTarget.ES2015, false)],
  ['SWC to ES2022, fields assigned', () => bySwc('es2022', false)],
  ['SWC to ES2015, fields assigned', () => bySwc('es2015', false)],
  ['SWC to ES5', () => bySwc('es5', true)],
];

describe.each(compiled)('classes compiled by %s', (_name, compile) => {
  const { Keeper, Lamp, LampDetail, LampResource, StoredBadge } = load(compile());
  let controller = new Controller();
  beforeEach(() => {
    controller = new Controller();
  });
  afterEach(() => controller.stop());

  const lamp = { id: '1', label: 'North', keeper: { id: 'k', name: 'Ada', since: '2020-05-01' } };
  const getLamp = new Endpoint(async () => lamp, { name: 'getLamp', schema: Lamp });

  it('entities keep their tables, defaults, schemas, methods and indexes', async () => {
    expect([Keeper, LampDetail, StoredBadge].map(({ key }) => key)).toEqual(['Keeper', 'Lamp', 'Badge']);
    const read = await controller.fetch(getLamp);
    expect(read).toBeInstanceOf(Lamp);
    expect([read.label, read.loud, read.describe()]).toEqual(['North', 'NORTH', 'lamp North']);
    expect(read.keeper).toBeInstanceOf(Keeper);
    expect(read.keeper.since).toEqual(new Date('2020-05-01'));
    expect(controller.get(Keeper, { name: 'Ada' })).toBe(read.keeper);
    expect(Lamp.fromJS().keeper.name).toBe('nobody');
  });

  it('a subclass shares the rows, and validates them', async () => {
    await controller.fetch(getLamp);
    expect(controller.get(LampDetail, { id: '1' })).toBeUndefined();
    controller.set(LampDetail, { id: '1' }, { id: '1', lens: 'Fresnel' });
    expect(controller.get(LampDetail, { id: '1' })).toMatchObject({ label: 'North', lens: 'Fresnel' });
    expect(LampDetail.fromJS().label).toBe('unlabeled');
  });

  it('a mixin of a plain class is an entity', () => {
    controller.set(StoredBadge, { holder: 'Ada' }, { holder: 'Ada' });
    expect(controller.get(StoredBadge, { holder: 'Ada' })).toMatchObject({ color: 'blue' });
  });

  it('an endpoint class keeps its fields and private members, also after extend', async () => {
    const tokens: (string | null)[] = [];
    server.use(
      http.get('http://lamps.test/lamps/1', ({ request }) => {
        tokens.push(request.headers.get('token'));
        return HttpResponse.json(lamp);
      }),
    );
    const { get } = LampResource;
    const longer = get.extend({ dataExpiryLength: 7 });
    expect([get.dataExpiryLength, longer.dataExpiryLength]).toEqual([5, 7]);
    await controller.fetch(get, { id: '1' });
    await controller.fetch(longer, { id: '1' });
    expect(tokens).toEqual(['a1', 'a1']);
  });

  it('a created entity has a temporary id, also if the field has no default', async () => {
    let respond = (): void => undefined;
    const responds = new Promise<void>((resolve) => (respond = resolve));
    server.use(
      http.get('http://lamps.test/lamps', () => HttpResponse.json([])),
      http.post('http://lamps.test/lamps', async () => {
        await responds;
        return HttpResponse.json({ id: '7', label: 'South' });
      }),
    );
    const { getList, create } = LampResource;
    await controller.fetch(getList);
    const creation = controller.fetch(create, { label: 'South' });
    await Promise.resolve();
    const shown = controller.getResponse(getList).data?.[0];
    expect([shown?.id, shown?.label]).toEqual([expect.any(String), 'South']);
    respond();
    expect(await creation).toMatchObject({ id: '7' });
    expect(controller.getResponse(getList).data).toMatchObject([{ id: '7' }]);
  });
});
