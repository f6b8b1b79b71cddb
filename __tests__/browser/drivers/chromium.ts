import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserEngine } from '../browsers.ts';
import { browserArguments, executablePath, launch } from '../chromium.ts';
import { startProcessGroup } from './startProcessGroup.ts';

export const engine: BrowserEngine = {
  isPresent: executablePath !== undefined,
  hint: 'install a Chromium, or name it in the variable CHROMIUM',
  launch(profile, preferences) {
    if (Object.keys(preferences).length > 0) {
      mkdirSync(path.join(profile, 'Default'));
      writeFileSync(path.join(profile, 'Default/Preferences'), JSON.stringify(preferences));
    }
    return launch(profile);
  },
  open: (profile, url) =>
    startProcessGroup(executablePath!, [
      ...browserArguments,
      `--user-data-dir=${profile}`,
      '--headless',
      url,
    ]),
};
