import { afterEach, mock, test } from 'node:test';
import { casesWith } from './cases.mjs';

const time = {
  fake: () => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() }),
  /** `tick` runs timers without letting promises settle between them. */
  async pass(ms) {
    for (let passed = 0; passed < ms; passed += 5) {
      mock.timers.tick(5);
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
};

afterEach(() => mock.timers.reset());
for (const [name, run] of Object.entries(casesWith(time))) test(name, run);
