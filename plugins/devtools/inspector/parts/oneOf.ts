/** The one of a few words that `value` is; the first where it is none of them. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]], value: unknown): Word {
  return words.find((word) => word === value) ?? words[0];
}
