/**
 * Turns what is stored into bytes and back, to encrypt it, say. Either may take its time.
 *
 * @example
 * const codec: Codec = {
 *   async encode(text) {
 *     const iv = crypto.getRandomValues(new Uint8Array(12));
 *     const bytes = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
 *     return new Uint8Array([...iv, ...new Uint8Array(bytes)]);
 *   },
 *   async decode(bytes) {
 *     const [iv, sealed] = [bytes.slice(0, 12), bytes.slice(12)];
 *     return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed));
 *   },
 * };
 */
export interface Codec {
  /** @param record - a record as text */
  encode(record: string): Uint8Array | Promise<Uint8Array>;
  /** Gives the text that the bytes were made of; throws or rejects when they are not of its making. */
  decode(bytes: Uint8Array): string | Promise<string>;
}
