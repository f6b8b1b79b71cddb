import { casesWith } from './cases.mjs';
import { domCases } from './domCases.mjs';

const timers = typeof vi === 'undefined' ? jest : vi;
const time = { fake: () => timers.useFakeTimers(), pass: (ms) => timers.advanceTimersByTimeAsync(ms) };

afterEach(() => timers.useRealTimers());
for (const [name, run] of Object.entries({ ...casesWith(time), ...domCases })) it(name, run);
