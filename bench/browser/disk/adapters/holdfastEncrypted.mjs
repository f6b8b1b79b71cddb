import { aesGcm } from 'holdfast/indexeddb';
import { makeAdapter } from '../holdfastAdapter.mjs';

// Each page of a run must have the same key.
const bytes = new Uint8Array(32).fill(1);
const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);

export const adapter = makeAdapter('Holdfast, `aesGcm`', { codec: aesGcm(key) });
