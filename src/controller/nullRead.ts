/** Whether the args of a read ask for no read at all: no fetch, no data, no suspension. */
export function isNullRead(args: readonly unknown[]): boolean {
  return args.length > 0 && args[0] === null;
}
