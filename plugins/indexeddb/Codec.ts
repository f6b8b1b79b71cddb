/**
 * Turns what is stored into bytes and back, to encrypt it, say. Either may take its time.
 *
 * @example
 * const name = 'AES-GCM';
 * const usages: KeyUsage[] = ['encrypt', 'decrypt'];
 * const algorithm = { name, length: 256 };
 * // Kept by the app for as long as the data is.
 * const key = await crypto.subtle.generateKey(algorithm, false, usages);
 *
 * const codec: Codec = {
 *   async encode(text) {
 *     const iv = crypto.getRandomValues(new Uint8Array(12));
 *     const bytes = new TextEncoder().encode(text);
 *     const sealed = await crypto.subtle.encrypt({ name, iv }, key, bytes);
 *     return new Uint8Array([...iv, ...new Uint8Array(sealed)]);
 *   },
 *   async decode(bytes) {
 *     const [iv, sealed] = [bytes.slice(0, 12), bytes.slice(12)];
 *     const opened = await crypto.subtle.decrypt({ name, iv }, key, sealed);
 *     return new TextDecoder().decode(opened);
 *   },
 * };
 */
export interface Codec {
  /** @param record - a record as text */
  encode(record: string): Uint8Array | Promise<Uint8Array>;
  /** Gives the text that the bytes were made of; throws or rejects when they are not of its making. */
  decode(bytes: Uint8Array): string | Promise<string>;
}
