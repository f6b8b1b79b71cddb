/**
 * The value of a map for a key; if there is none, `make` creates and adds it. Like
 * `Map.prototype.getOrInsertComputed`, which not every browser has yet.
 */
export function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: (key: K) => V,
): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make(key)));
  return value;
}
