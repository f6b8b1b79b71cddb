/** Runs what writes to the console on purpose: nothing of it is printed. */
export async function silently<T>(run: () => T): Promise<Awaited<T>> {
  const { error, warn } = console;
  Object.assign(console, { error: () => undefined, warn: () => undefined });
  try {
    return await run();
  } finally {
    Object.assign(console, { error, warn });
  }
}
