import { describe, expect, it } from '@jest/globals';
import { createResource } from 'holdfast';
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
});
