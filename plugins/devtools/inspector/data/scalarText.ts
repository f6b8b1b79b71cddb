/** A value without members, as text. */
export function scalarText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return value.toString();
    case 'undefined':
    case 'function':
      return typeof value;
    case 'object':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
      if (value === null) return 'null';
      return Array.isArray(value) ? '[]' : '{}';
  }
}
