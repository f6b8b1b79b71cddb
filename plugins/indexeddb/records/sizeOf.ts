/** The approximate size of a number, a date, or an empty container, in bytes. */
const WORD = 8;

/**
 * The approximate size of a value on disk, in bytes: the length of its texts and buffers, and a little for everything
 * else. Cheaper than encoding it, and never throws.
 */
export function sizeOf(value: unknown): number {
  let size = 0;
  const seen = new Set<unknown>();
  // A list instead of recursion: values may be deeply nested.
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    size += WORD;
    if (typeof next === 'string') size += next.length;
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (next instanceof Map || next instanceof Set)
      for (const entry of next.entries()) waiting.push(...entry);
    else if (ArrayBuffer.isView(next) || next instanceof ArrayBuffer) size += next.byteLength;
    else if (typeof Blob === 'function' && next instanceof Blob) size += next.size;
    else if (Array.isArray(next)) for (const member of next as unknown[]) waiting.push(member);
    else
      for (const [field, member] of Object.entries(next)) {
        size += field.length;
        waiting.push(member);
      }
  }
  return size;
}
