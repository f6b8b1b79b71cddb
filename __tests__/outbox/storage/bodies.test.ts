import { describe, expect, it } from '@jest/globals';
import { decodeArgs, encodeArgs } from '../../../plugins/outbox/storage/bodies.ts';
import { temporaryPksIn, withServerPks } from '../../../plugins/outbox/queue/temporaryPks.ts';

const temporary = 'optimistic-1792000000000001-ab3d';
const pks = new Map([[temporary, { id: 7, ids: { slug: 'hello' } }]]);

describe('args on disk', () => {
  it('stored args are restored as they were', async () => {
    const form = new FormData();
    form.append('title', 'one');
    form.append('file', new Blob(['two'], { type: 'text/plain' }), 'two.txt');
    const file = new File(['three'], 'three.txt', { type: 'text/plain', lastModified: 5 });
    const blob = new Blob(['four'], { type: 'text/css' });
    const search = new URLSearchParams('a=1&a=2');
    const given = [{ id: 1 }, form, search, new Date(3), new Uint8Array([4]), file, blob];
    const [params, body, found, date, buffer, ...files] = decodeArgs(structuredClone(encodeArgs(given)));
    expect(params).toEqual({ id: 1 });
    expect([...(body as FormData).keys()]).toEqual(['title', 'file']);
    expect((body as FormData).get('file')).toMatchObject({ name: 'two.txt', type: 'text/plain', size: 3 });
    expect(await ((body as FormData).get('file') as File).text()).toBe('two');
    expect(String(found)).toBe('a=1&a=2');
    expect(files).toMatchObject([
      { name: 'three.txt', type: 'text/plain', lastModified: 5 },
      { size: 4, type: 'text/css' },
    ]);
    expect(await Promise.all((files as Blob[]).map((one) => one.text()))).toEqual(['three', 'four']);
    expect([date, buffer]).toEqual([new Date(3), new Uint8Array([4])]);
  });
});

describe('args that resemble a stored form', () => {
  it.each([
    ['fields that are none', [5, null]],
    ['a field without a name', [[1, 'x']]],
    ['a file that is none', [['file', { holdfast: 'File' }]]],
  ])('args that resemble a stored form are restored as they were: %s', (_, entries) => {
    const args = [{ holdfast: 'FormData', entries }];
    expect(decodeArgs(args)).toEqual(args);
  });
});

describe("the server's pk", () => {
  it.each([
    ['an argument', [{ id: temporary }], [{ id: 7 }]],
    ['a list in a body', [{}, { ids: [temporary, 2] }], [{}, { ids: [7, 2] }]],
    ['a key', [{ votes: { [temporary]: 1, b: 2 } }], [{ votes: { 7: 1, b: 2 } }]],
    ['a field of its own', [{ slug: temporary }, { note: temporary }], [{ slug: 'hello' }, { note: 7 }]],
    ['a text', [{ body: `see /notes/${temporary}.` }], [{ body: 'see /notes/7.' }]],
  ])("the server's pk replaces a temporary one in %s", (_, args, expected) => {
    expect([...temporaryPksIn(args)]).toEqual([temporary]);
    expect(withServerPks(args, pks)).toEqual(expected);
  });

  it("the server's pk replaces a temporary one in forms", () => {
    const form = new FormData();
    form.append('note', temporary);
    const search = new URLSearchParams({ note: temporary });
    const changedForm = withServerPks(form, pks);
    const changedSearch = withServerPks(search, pks);
    expect([changedForm.get('note'), String(changedSearch)]).toEqual(['7', 'note=7']);
    expect(form.get('note')).toBe(temporary);
  });

  it("the server's pk replaces a temporary one in the names of form fields and files", () => {
    const form = new FormData();
    form.append(`quantity[${temporary}]`, '3');
    form.append('file', new File(['x'], `${temporary}.txt`, { type: 'text/plain' }));
    const search = new URLSearchParams({ [`quantity[${temporary}]`]: '3' });
    for (const one of [form, search]) expect([...temporaryPksIn(one)]).toEqual([temporary]);
    const changed = withServerPks(form, pks);
    expect([...changed.keys()]).toEqual(['quantity[7]', 'file']);
    expect(changed.get('file')).toMatchObject({ name: '7.txt', type: 'text/plain', size: 1 });
    expect(String(withServerPks(search, pks))).toBe(String(new URLSearchParams({ 'quantity[7]': '3' })));
  });

  it('args without a temporary pk are not copied', () => {
    const args = [{ id: 1, at: new Date(0) }, new URLSearchParams('a=1')];
    expect(withServerPks(args, pks)).toBe(args);
  });
});
