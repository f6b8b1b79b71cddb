/**
 * For the type declarations of the build. TypeScript finds the public name of a type that is declared in a chunk only
 * where the declaration itself is exported (`export interface State`), not where a list at the end exports it. Otherwise
 * an app that emits declarations fails with TS2742 for an export whose type it infers.
 */
export const namedDeclarations = {
  name: 'named-declarations',
  renderChunk(code, { fileName, isEntry }) {
    if (isEntry) return null;
    const exported = new Set();
    const declarations = code.replace(/^export (?:type )?\{(.*)\};\n?/gm, (_, list) => {
      for (const name of list.split(',')) exported.add(name.trim());
      return '';
    });
    const named = declarations.replace(
      /^(?=(?:declare )?(?:abstract )?(?:class|interface|type|function|const) ([\w$]+))/gm,
      (_, name) => (exported.has(name) ? 'export ' : ''),
    );
    for (const name of exported) {
      if (!new RegExp(`^export .*\\b${name}\\b`, 'm').test(named))
        this.error(`${fileName} exports ${name} without a declaration`);
    }
    // Without a list of exports, a declaration file exports everything that it declares.
    return { code: `${named}export {};\n`, map: null };
  },
};
