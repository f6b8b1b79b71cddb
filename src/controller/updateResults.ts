import type { EndpointInterface } from '../endpoint/EndpointInterface.ts';
import type { Meta } from '../schema/Meta.ts';
import { expired } from '../store/expired.ts';
import type { StoredResult } from '../store/State.ts';
import type { Writer } from '../store/transaction.ts';
import { adopt } from '../util/adopt.ts';
import { HoldfastError } from '../util/errors.ts';
import { isolated } from '../util/isolated.ts';

/**
 * Changes other results as an endpoint says by its `update`. That the user's code fails is reported: the server has done
 * what was asked.
 *
 * @param value - what the answer gave, normalized
 * @param meta - of what the answer gave
 * @param isKnown - whether anybody here knows what the result of a key names; where not, nobody shows it, and it becomes
 * stale instead
 * @returns the keys of results that are not there
 */
export function updateResults(
  writer: Writer,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  value: unknown,
  meta: Meta,
  isKnown: (key: string) => boolean = () => true,
): readonly string[] {
  const missing: string[] = [];
  // Nothing was stored of an answer that names no record.
  if (value === undefined && endpoint.schema !== undefined) return missing;
  reported(endpoint, () => {
    for (const [key, change] of Object.entries(endpoint.update?.(value, ...args) ?? {})) {
      const result = writer.result(key);
      if (result === undefined) missing.push(key);
      else if (result.value !== undefined && result.invalidated !== true)
        reported(endpoint, () => {
          // A result is what its endpoint's schema makes of it; the user's code knows which that is.
          const next = isKnown(key) ? changed(result, change(result.value as never), meta) : expired(result);
          writer.setResult(key, next);
        });
    }
  });
  return missing;
}

/** As old as it was, and yet newer than what was asked for before the mutation was answered. */
function changed(result: StoredResult, value: unknown, { order, answered }: Meta): StoredResult {
  const { meta } = result;
  return {
    ...result,
    value: adopt(value, result.value),
    meta: { ...meta, order: Math.max(order, meta.order), answered: Math.max(answered, meta.answered) },
  };
}

function reported({ name }: EndpointInterface, run: () => void): void {
  isolated(() => {
    try {
      run();
    } catch (cause) {
      throw new HoldfastError(
        'HF_UPDATE',
        `update() of ${name} failed, so what it was to change stays as it was; correct it`,
        { cause },
      );
    }
  });
}
