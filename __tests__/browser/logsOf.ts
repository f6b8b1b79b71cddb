import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The logs, as files, that a Chromium with this profile keeps of what it writes to IndexedDB. */
export function logsOf(profile: string): string[] {
  const folder = path.join(profile, 'Default/IndexedDB');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.log'))
    .map((file) => path.join(folder, file));
}
