/** Replaces URLs in a text by their path and query, the parts in which those of one server differ. */
export function withoutOrigin(text: string): string {
  return text.replace(/https?:\/\/[^/\s]+(?=\/)/, '');
}
