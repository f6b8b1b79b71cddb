/** Whether null args turn this read off: no fetch, no data, no suspension. */
export function isNullRead(args: readonly unknown[]): boolean {
  return args.length > 0 && args[0] === null;
}
