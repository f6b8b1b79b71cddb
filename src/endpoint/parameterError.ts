import { HoldfastError } from '../util/errors.ts';

/**
 * The error of a parameter that fits no URL.
 *
 * @param source - names the endpoint
 * @param problem - what is wrong with it; what to do
 */
export function parameterError(
  name: string,
  source: string,
  problem: string,
  options?: ErrorOptions,
): HoldfastError {
  return new HoldfastError('HF_PATH_PARAMETER', `The parameter \`${name}\` of ${source} ${problem}`, options);
}
