import { HoldfastError } from 'holdfast';
import { WrongKeyError, type Codec } from './Codec.ts';

const ALGORITHM = 'AES-GCM';

/** The first byte of every record. */
const FORMAT = 1;

/** Bytes that identify the key of a record. */
const ID_LENGTH = 8;

/** Bytes of a nonce, as NIST SP 800-38D recommends. */
const NONCE_LENGTH = 12;

const HEADER_LENGTH = 1 + ID_LENGTH + NONCE_LENGTH;

/**
 * A codec that encrypts every record with AES-GCM, by WebCrypto. Each record contains a random nonce, and 8 bytes that
 * identify its key. Use a key for at most 2^32 records (NIST SP 800-38D, section 8.3).
 *
 * @param keys - a key with the usages `encrypt` and `decrypt`, which may be non-extractable. Of several, the first
 * encrypts, and all decrypt: put a new key in front to rotate
 * @returns a codec whose `decode` rejects with `WrongKeyError` for a record of any other key
 * @throws HoldfastError `HF_STORAGE` if there is no key, or it cannot be used for this
 *
 * @example
 * const key = await crypto.subtle.generateKey(
 *   { name: 'AES-GCM', length: 256 },
 *   false,
 *   ['encrypt', 'decrypt'],
 * );
 * const encrypted = indexedDB({ name: 'app', codec: aesGcm(key) });
 */
export function aesGcm(keys: CryptoKey | readonly CryptoKey[]): Codec {
  const all = ([keys].flat() as readonly CryptoKey[]).map(identified); // Array.isArray does not exclude a readonly list from the type
  const [current] = all;
  if (current === undefined) throw new HoldfastError('HF_STORAGE', 'aesGcm() has no key; pass one or more');
  return {
    async encode(record) {
      const bytes = new TextEncoder().encode(record);
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_LENGTH));
      const encrypted = await crypto.subtle.encrypt({ name: ALGORITHM, iv }, current.key, bytes);
      const coded = new Uint8Array(HEADER_LENGTH + encrypted.byteLength);
      coded[0] = FORMAT;
      coded.set(await current.id(), 1);
      coded.set(iv, 1 + ID_LENGTH);
      coded.set(new Uint8Array(encrypted), HEADER_LENGTH);
      return coded;
    },
    async decode(bytes) {
      if (bytes[0] !== FORMAT || bytes.length < HEADER_LENGTH)
        throw new TypeError('not a record of aesGcm()');
      const wanted = bytes.subarray(1, 1 + ID_LENGTH);
      const iv = bytes.slice(1 + ID_LENGTH, HEADER_LENGTH);
      for (const { key, id } of all) {
        const own = await id();
        if (!own.every((byte, index) => byte === wanted[index])) continue;
        const encrypted = bytes.slice(HEADER_LENGTH);
        return new TextDecoder().decode(await crypto.subtle.decrypt({ name: ALGORITHM, iv }, key, encrypted));
      }
      throw new WrongKeyError();
    },
  };
}

/** A key and the bytes that identify it, which are computed on first use. */
interface IdentifiedKey {
  readonly key: CryptoKey;
  readonly id: () => Promise<Uint8Array>;
}

function identified(key: CryptoKey): IdentifiedKey {
  checkKey(key);
  let id: Promise<Uint8Array> | undefined;
  return { key, id: () => (id ??= idOf(key)) };
}

function checkKey({ algorithm, usages }: CryptoKey): void {
  const canBoth = usages.includes('encrypt') && usages.includes('decrypt');
  if (algorithm.name === ALGORITHM && canBoth) return;
  throw new HoldfastError(
    'HF_STORAGE',
    `aesGcm() has a key for ${algorithm.name} (${usages.join(', ')}); it needs one for AES-GCM that can encrypt and decrypt`,
  );
}

/**
 * Bytes that identify a key, which may be non-extractable: what it makes of zeros. The nonce of zeros is used for
 * nothing else; a random one equals it once in 2^96 records.
 */
async function idOf(key: CryptoKey): Promise<Uint8Array> {
  const iv = new Uint8Array(NONCE_LENGTH);
  const encrypted = await crypto.subtle.encrypt({ name: ALGORITHM, iv }, key, new Uint8Array(ID_LENGTH));
  return new Uint8Array(encrypted, 0, ID_LENGTH);
}
