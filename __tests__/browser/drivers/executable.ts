import { existsSync } from 'node:fs';
import path from 'node:path';

/** The first program found: what an environment variable names, one of these files, or one of these names in the PATH. */
export function executable(
  variable: string,
  files: readonly string[],
  names: readonly string[],
): string | undefined {
  const wanted = process.env[variable];
  if (wanted !== undefined && wanted !== '') return wanted;
  const inPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [...files, ...inPath].find((file) => existsSync(file));
}
