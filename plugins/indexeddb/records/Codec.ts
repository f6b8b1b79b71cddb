/**
 * A record was encoded with a key that the codec does not have. The plugin then leaves the database unchanged, reports
 * `HF_STORAGE`, and continues with memory and network.
 */
export class WrongKeyError extends Error {
  override readonly name: string = 'WrongKeyError';

  constructor() {
    super('the codec does not have the key that a record was encoded with');
  }
}

/**
 * Encodes stored records as bytes and decodes them. Both may be asynchronous. `aesGcm` makes one that encrypts.
 *
 * @example
 * const reversed: Codec = {
 *   encode: (text) => new TextEncoder().encode(text).reverse(),
 *   decode: (bytes) => new TextDecoder().decode(bytes.slice().reverse()),
 * };
 */
export interface Codec {
  /** @param record - a record as text */
  encode(record: string): Uint8Array | Promise<Uint8Array>;
  /**
   * Decodes bytes that `encode` returned.
   *
   * @throws WrongKeyError for bytes that another key has encoded; anything else for damaged bytes, whose record is
   * skipped
   */
  decode(bytes: Uint8Array): string | Promise<string>;
}
