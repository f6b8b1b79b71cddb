import { warnOnce } from '../util/warnOnce.ts';

const marker = /* @__PURE__ */ Symbol.for('holdfast');

/** This copy of the package. */
const copy = {};

/**
 * In development, warns where a page runs two copies of the package: the hooks of one do not find the provider of the
 * other, and its entities are not those of the other. Servers are left alone, since some load modules anew for each
 * layer of an app.
 */
export function checkCopies(): void {
  if (typeof document === 'undefined') return;
  const page = globalThis as { [marker]?: object | undefined }; // nobody else has this symbol
  const first = (page[marker] ??= copy);
  if (first !== copy)
    warnOnce(
      first,
      'HF_TWO_COPIES',
      'There are two copies of Holdfast on this page, which know nothing of each other; npm ls holdfast and your bundler tell where they come from',
    );
}
