/**
 * Encodes stored records as bytes and decodes them, for example to encrypt them. Both may be asynchronous.
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
  /** Decodes bytes that `encode` returned; throws or rejects for any others. */
  decode(bytes: Uint8Array): string | Promise<string>;
}
