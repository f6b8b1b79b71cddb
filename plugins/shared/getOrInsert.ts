/** The value of a key, which is created first if there is none, as by `Map.prototype.getOrInsertComputed`. */
export function getOrInsert<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = create()));
  return value;
}
