// Node has Web Locks, from version 24 on. The pages and tabs of a test are all in one process, so one that is taken for
// dead would keep its locks: tests of locks bring their own.
if (typeof document === 'undefined' && typeof navigator !== 'undefined')
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
