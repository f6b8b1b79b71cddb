import { parseArgs } from 'node:util';

/**
 * The options of the command line. Ends the process after showing the usage, if that is asked for or an option is not
 * valid.
 *
 * @template {NonNullable<import('node:util').ParseArgsConfig['options']>} Options
 * @param {string} usage
 * @param {Options} options
 * @param {readonly (keyof Options & string)[]} numbers - the options that take a whole number, up to that of the last port
 */
export function commandLine(usage, options, numbers) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: 'boolean', short: 'h' } } });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    for (const name of numbers) {
      const value = String(values[name]);
      if (!/^\d+$/.test(value) || Number(value) > 65_535)
        throw new Error(`--${name} needs a whole number up to 65535, not '${value}'`);
    }
    return values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\nUsage: ${usage}`);
    process.exit(2);
  }
}
