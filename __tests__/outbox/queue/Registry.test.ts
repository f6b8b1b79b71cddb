import { describe, expect, it, jest } from '@jest/globals';
import { createResource, Endpoint } from 'holdfast';
import { outbox } from 'holdfast/outbox';
import { Note } from '../../support/entities.ts';

const NoteResource = createResource({ path: '/notes/:id', schema: Note });

describe('the endpoints of an outbox', () => {
  it('accepts resources, endpoints and modules of endpoints', () => {
    const { create, update } = NoteResource;
    for (const endpoints of [[], [NoteResource], [create, update], [{ create, update }]])
      expect(() => outbox({ endpoints })).not.toThrow();
  });

  it.each([undefined, {}, { endpoints: NoteResource }])(
    'rejects options without a list of endpoints: %j',
    (options) => {
      expect(() => outbox(options as never)).toThrow(
        expect.objectContaining({ code: 'HF_PLUGIN', message: expect.stringContaining('without endpoints') }),
      );
    },
  );

  it.each([
    [Note, /received Note among its endpoints.*pass a resource/],
    [function send() {}, /received send /],
    [{ NoteResource }, /received \[object Object\]/],
    [undefined, /received undefined/],
  ])('rejects what is neither a resource nor an endpoint: %s', (item, message) => {
    // What JavaScript, and a module of an import cycle, may pass.
    const endpoints = [NoteResource, item] as object[];
    expect(() => outbox({ endpoints })).toThrow(
      expect.objectContaining({ code: 'HF_PLUGIN', message: expect.stringMatching(message) }),
    );
  });

  it('warns of a mutation that is named after its function, since minifiers rename functions', () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const post = (body: object): Promise<object> => Promise.resolve(body);
    const named = new Endpoint(post, { sideEffect: true, name: 'post' });
    // A read is never sent by the queue.
    outbox({ endpoints: [named, new Endpoint((id: string) => Promise.resolve(id), { name: 'get' })] });
    outbox({ endpoints: [new Endpoint(post)] });
    expect(warn).not.toHaveBeenCalled();
    const mutation = new Endpoint(post, { sideEffect: true });
    for (const endpoint of [mutation, mutation.extend({ extra: 1 })]) {
      outbox({ endpoints: [endpoint] });
      expect(warn).toHaveBeenLastCalledWith(expect.stringMatching(/the mutation "post" .*HF_OUTBOX_NAME/));
    }
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
    const unnamed = new Endpoint((body: object) => Promise.resolve(body), { sideEffect: true });
    expect(() => outbox({ endpoints: [unnamed] })).toThrow(
      expect.objectContaining({ code: 'HF_OUTBOX_NAME' }),
    );
  });
});
