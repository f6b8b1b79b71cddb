import type { BrowserEngine } from '../browsers.ts';
import { executablePath, launch } from '../chromium.ts';

export const engine: BrowserEngine = {
  isPresent: executablePath !== undefined,
  hint: 'install a Chromium, or name it in the variable CHROMIUM',
  launch,
};
