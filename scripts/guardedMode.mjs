/**
 * For the ES modules of the build: they also run where nothing defines `process`, as in a page without a bundler.
 *
 * Sources ask for the mode by a literal `process.env.NODE_ENV`, which bundlers replace. A check of `typeof process` beside
 * it would not do: in a page, a bundler's development build has no `process` either. So one module tries the literal once.
 * Where that throws, it is production; where a bundler has replaced it, everything still folds to a constant.
 */
const MODULE = '\0hasMode';

const hasMode = `
export const hasMode = /* @__PURE__ */ (() => {
  try {
    return process.env.NODE_ENV !== '';
  } catch {
    return false;
  }
})();
`;

const checks = [
  ["process.env.NODE_ENV !== 'production'", "(hasMode && process.env.NODE_ENV !== 'production')"],
  ["process.env.NODE_ENV === 'production'", "(!hasMode || process.env.NODE_ENV === 'production')"],
];

export const guardedMode = {
  name: 'guarded-mode',
  resolveId: (specifier) => (specifier === MODULE ? MODULE : null),
  load: (id) => (id === MODULE ? hasMode : null),
  transform(source, id) {
    if (!/\.tsx?$/.test(id)) return null;
    const code = checks.reduce((text, [check, guarded]) => text.replaceAll(check, guarded), source);
    if (code === source) return null;
    // At the end, so that no line is moved.
    return { code: `${code}\nimport { hasMode } from '${MODULE}';`, map: null };
  },
  renderChunk(code) {
    const all = code.split('process.env').length;
    const guarded = code.split(/hasMode(?:\$\d+)? (?:&&|\|\|) process\.env|return process\.env/).length;
    if (all !== guarded) this.error('process.env is used in another form than the guarded ones');
    return null;
  },
};
