/** A unique key. `randomUUID` is missing on pages without TLS (https://w3c.github.io/webcrypto/#Crypto-interface). */
export function uniqueKey(): string {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }; // not everywhere all of it
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join('-');
}
