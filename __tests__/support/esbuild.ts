import { afterAll } from '@jest/globals';
import { build, stop, transform } from 'esbuild';

// esbuild starts a process for each test file, because each has modules of its own, and that process would outlive it.
afterAll(() => stop());

export { build, transform };
