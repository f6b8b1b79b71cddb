/**
 * For the ES modules of the build: they also run where nothing defines `process`, as in a page without a bundler.
 *
 * Sources ask for the mode by a literal `process.env.NODE_ENV`, which bundlers replace. A check of `typeof process` beside
 * it would not do: in a page, a bundler's development build has no `process` either. So one module tries the literal once.
 * Where that throws, it is production; where a bundler has replaced it, everything still folds to a constant. It is asked
 * by a call that is marked as pure, which minifiers remove; esbuild would keep a variable in its place.
 */
const MODULE = '\0hasMode';

const hasMode = `
const known = /* @__PURE__ */ (() => {
  try {
    return process.env.NODE_ENV !== '';
  } catch {
    return false;
  }
})();
export const hasMode = () => known;
`;

const HAS_MODE = '/* @__PURE__ */ hasMode()';
const checks = [
  ["process.env.NODE_ENV !== 'production'", `(${HAS_MODE} && process.env.NODE_ENV !== 'production')`],
  ["process.env.NODE_ENV === 'production'", `(!${HAS_MODE} || process.env.NODE_ENV === 'production')`],
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
    const guarded = code.split(
      /\/\* @__PURE__ \*\/ hasMode(?:\$\d+)?\(\) (?:&&|\|\|) process\.env|return process\.env/,
    ).length;
    if (all !== guarded) this.error('process.env is used in another form than the guarded ones');
    return null;
  },
};
