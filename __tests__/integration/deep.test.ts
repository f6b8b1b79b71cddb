import { expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity } from 'holdfast';

class NoteWithBody extends Entity {
  id = '';
  body: unknown = undefined;
  static override key = 'Note';
}

function nested(levels: number): unknown {
  let list: unknown = [];
  for (let level = 0; level < levels; level++) list = [list];
  return list;
}

it.each([
  ['without a schema', undefined, () => nested(100_000)],
  ['in an entity', NoteWithBody, () => ({ id: '1', body: nested(100_000) })],
  ['in a list of entities', [NoteWithBody], () => [{ id: '1', body: nested(100_000) }]],
  [
    'in a field that the schema does not name',
    { note: NoteWithBody },
    () => ({ note: { id: '1' }, deep: nested(100_000) }),
  ],
] as const)(
  'a response that nests 100,000 lists is refused as too deep (%s)',
  async (_where, schema, answer) => {
    const endpoint = new Endpoint(async () => answer(), { name: 'getDeep', ...(schema && { schema }) });
    const controller = new Controller();
    await expect(controller.fetch(endpoint)).rejects.toMatchObject({ code: 'HF_TOO_DEEP' });
    await expect(
      Promise.resolve().then(() => controller.setResponse(endpoint, answer() as never)),
    ).rejects.toMatchObject({ code: 'HF_TOO_DEEP' });
    await controller.stop();
  },
);

it('a value that nests 100,000 lists and is set is refused as too deep', () => {
  const controller = new Controller();
  expect(() => controller.set(NoteWithBody, { id: '1' }, { id: '1', body: nested(100_000) })).toThrow(
    expect.objectContaining({ code: 'HF_TOO_DEEP' }),
  );
});
