import { beforeAll } from '@jest/globals';

// No test is timed: on a busy machine, what a DOM is to show may take longer than the second that is waited for it.
beforeAll(async () => {
  if (typeof document === 'undefined') return;
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 60_000 });
});
