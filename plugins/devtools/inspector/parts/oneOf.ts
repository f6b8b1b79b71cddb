/** The option that equals `value`, or else the first. */
export function oneOf<Word extends string>(words: readonly [Word, ...Word[]], value: unknown): Word {
  return words.find((word) => word === value) ?? words[0];
}
