import { expect, it } from '@jest/globals';
import { Controller, Endpoint, Entity } from 'holdfast';

class NoteWithData extends Entity {
  id = '';
  data: unknown = null;
  static override key = 'Note';
}

const nested = (depth: number): unknown => {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level++) value = { value };
  return value;
};

it('an error of the store names the endpoint of the refused response', async () => {
  const controller = new Controller();
  const options = { name: 'getNote', schema: NoteWithData };
  const read = new Endpoint(async () => ({ id: '1', data: nested(10_000) }), options);
  const write = read.extend({ sideEffect: true });
  const refused = { code: 'HF_TOO_DEEP', message: expect.stringMatching(/getNote \("Note"\)/) };
  await expect(controller.fetch(read)).rejects.toMatchObject(refused);
  await expect(controller.fetch(write)).rejects.toMatchObject(refused);
  expect(() => controller.setResponse(read, { id: '1', data: nested(10_000) })).toThrow(
    /getNote.*HF_TOO_DEEP/,
  );
  expect(controller.get(NoteWithData, { id: '1' })).toBeUndefined();
  controller.setResponse(read, { id: '1', data: nested(900) });
  expect(controller.get(NoteWithData, { id: '1' })).toBeDefined();
});
