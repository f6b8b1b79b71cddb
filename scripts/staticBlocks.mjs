import ts from 'typescript';

/**
 * For the build: writes `static { … }` of a class as the initializer of a private static field, which runs at the same
 * moment with the same `this`. Static blocks are the newest syntax of ES2022: Safari before 16.4 and Hermes lack them.
 * esbuild could do without them too, but would make a WeakMap of every private field of such a class.
 */
export const staticBlocks = {
  name: 'static-blocks',
  transform(source, id) {
    if (!/\.tsx?$/.test(id) || !/\bstatic\s*\{/.test(source)) return null;
    return { code: withoutStaticBlocks(id, source), map: null };
  },
};

/** Source without static blocks, line for line. */
export function withoutStaticBlocks(file, source) {
  const edits = [];
  const visit = (node) => {
    if (ts.isClassStaticBlockDeclaration(node)) {
      const { body } = node;
      edits.push([node.getStart(), body.getStart(), `static #block${edits.length} = (() => `]);
      edits.push([body.end, body.end, ')();']);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
  let code = '';
  let done = 0;
  for (const [from, to, text] of edits) {
    code += source.slice(done, from) + text;
    done = to;
  }
  return code + source.slice(done);
}
