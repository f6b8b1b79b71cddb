import { warnOnce } from './warnOnce.ts';

const marker = /* @__PURE__ */ Symbol.for('holdfast');

/** This copy of the package. */
const copy = {};

/**
 * In development, warns of two copies of the package on one page: their hooks, providers and entities do not work
 * together. Servers are excluded, since some load modules once for each layer of an app.
 */
export function checkCopies(): void {
  if (typeof document === 'undefined') return;
  const page = globalThis as { [marker]?: object | undefined }; // a symbol of our own
  const first = (page[marker] ??= copy);
  if (first !== copy)
    warnOnce(
      first,
      'HF_TWO_COPIES',
      'There are two copies of Holdfast on this page, which share no state; run npm ls holdfast and check your bundler to find their origins',
    );
}
