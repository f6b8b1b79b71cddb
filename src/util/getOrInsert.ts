/**
 * What a map has for a key; where that is nothing, what `make` makes for it from then on. As
 * `Map.prototype.getOrInsertComputed` does, which not every browser has yet.
 */
export function getOrInsert<K, V>(map: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make(key)));
  return value;
}
