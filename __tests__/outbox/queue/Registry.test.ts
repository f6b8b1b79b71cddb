import { describe, expect, it } from '@jest/globals';
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

  it('rejects a mutation that is named after its function, since minifiers rename functions', () => {
    const post = (body: object): Promise<object> => Promise.resolve(body);
    const named = new Endpoint(post, { sideEffect: true, name: 'post' });
    const mutation = new Endpoint(post, { sideEffect: true });
    const unnamed = new Endpoint((body: object) => Promise.resolve(body), { sideEffect: true });
    const refused = (text: string): object =>
      expect.objectContaining({ code: 'HF_OUTBOX_NAME', message: expect.stringContaining(text) });
    expect(() => outbox({ endpoints: [named, new Endpoint(post)] })).toThrow(refused('Two endpoints'));
    expect(() => outbox({ endpoints: [named] })).not.toThrow();
    expect(() => outbox({ endpoints: [mutation] })).toThrow(refused('The mutation "post" of outbox()'));
    expect(() => outbox({ endpoints: [mutation.extend({ extra: 1 })] })).toThrow(refused('"post"'));
    expect(() => outbox({ endpoints: [unnamed] })).toThrow(refused('The mutation "" of outbox()'));
    // A read is never sent by the queue.
    expect(() => outbox({ endpoints: [new Endpoint(post)] })).not.toThrow();
  });
});
