/** A URL's path and query, wherever it stands in a text: what tells those of one server apart. */
export function withoutOrigin(text: string): string {
  return text.replace(/https?:\/\/[^/\s]+(?=\/)/, '');
}
