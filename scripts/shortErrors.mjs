import ts from 'typescript';

/**
 * For the build: what `new HoldfastError(code, sentence)` says in production. A sentence is for the developer of the app,
 * and all of them together are a good part of what its users download. So production keeps the values that a sentence
 * is made of (names, paths, what arrived), or the first clause of one without any, and the constructor adds where to
 * read on. Texts that are
 * put together elsewhere, such as those of a NetworkError or of a full disk, stay as they are.
 */
export const shortErrors = {
  name: 'short-errors',
  transform(source, id) {
    if (!/\.tsx?$/.test(id) || !source.includes('new HoldfastError(')) return null;
    // Nothing is moved to another line, so that source maps stay true.
    return { code: withShortErrors(id, source), map: null };
  },
};

/** Source in which each sentence stands beside its values, of which `NODE_ENV` chooses. */
export function withShortErrors(file, source) {
  const sentences = [];
  const visit = (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'HoldfastError') {
      const sentence = node.arguments?.[1];
      const values = sentence && valuesOf(sentence);
      if (values !== undefined)
        sentences.push({ at: sentence.getStart(), end: sentence.end, short: shortened(sentence, values) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true));
  let code = '';
  let done = 0;
  for (const { at, end, short } of sentences) {
    const chosen = `process.env.NODE_ENV === 'production' ? ${short} : ${source.slice(at, end)}`;
    code += source.slice(done, at) + chosen;
    done = end;
  }
  return code + source.slice(done);
}

/** What production keeps of a sentence, as source: its values, or where there are none, what it says up to a comma. */
function shortened(sentence, values) {
  if (values.length > 0) return `\`${values.map((value) => `\${${value}}`).join(', ')}\``;
  const first = ts.isBinaryExpression(sentence) ? sentence.left : sentence;
  if (ts.isBinaryExpression(first)) return shortened(first, values);
  return JSON.stringify(first.text.split(/[,;]/, 1)[0]);
}

/** What is filled into a text, as source; undefined for what is no text. */
function valuesOf(text) {
  if (ts.isStringLiteralLike(text)) return [];
  if (ts.isTemplateExpression(text))
    return text.templateSpans.map(({ expression }) => expression.getText().replaceAll(/\s*\n\s*/g, ' '));
  if (!ts.isBinaryExpression(text)) return undefined;
  const [left, right] = [valuesOf(text.left), valuesOf(text.right)];
  return left && right && [...left, ...right];
}
