import type { EndpointInterface } from '../../endpoint/EndpointInterface.ts';
import type { Meta } from '../../schema/Meta.ts';
import { expired } from '../../store/writeResult.ts';
import type { StoredResult } from '../../store/State.ts';
import type { Writer } from '../../store/transaction.ts';
import { adopt } from '../../util/adopt.ts';
import { isThenable } from '../../util/isThenable.ts';
import { HoldfastError } from '../../util/errors.ts';
import { runIsolated } from '../../util/runIsolated.ts';

/**
 * Changes other results by the endpoint's `update`. Errors of the user's code are reported, since the server has done
 * the mutation.
 *
 * @param value - the normalized response
 * @param meta - the meta of the response
 * @param isKnown - whether the schema of a key's result is known; if not, no component shows it, and it becomes stale
 * @returns the keys of results that are not stored
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
  // A response without records was not stored.
  if (value === undefined && endpoint.schema !== undefined) return missing;
  reportErrors(endpoint, () => {
    for (const [key, change] of Object.entries(endpoint.update?.(value, ...args) ?? {})) {
      const result = writer.result(key);
      if (result === undefined) missing.push(key);
      else if (result.value !== undefined && result.invalidated !== true)
        reportErrors(endpoint, () => {
          writer.setResult(
            key,
            isKnown(key) ? changed(result, valueFrom(change, result.value), meta) : expired(result),
          );
        });
    }
  });
  return missing;
}

/** @throws TypeError for a value that would hide the result: functions in plain JavaScript return anything */
function valueFrom(change: (value: never) => unknown, value: unknown): unknown {
  const next = change(value as never); // only the user's code knows its shape
  if (next === undefined || isThenable(Object(next) as object))
    throw new TypeError(`returned ${String(next)}`);
  return next;
}

/** Keeps the times, but orders the result after requests that started before the mutation was answered. */
function changed(result: StoredResult, value: unknown, { order, answered }: Meta): StoredResult {
  const { meta } = result;
  return {
    ...result,
    value: adopt(value, result.value),
    meta: { ...meta, order: Math.max(order, meta.order), answered: Math.max(answered, meta.answered) },
  };
}

function reportErrors({ name }: EndpointInterface, run: () => void): void {
  runIsolated(() => {
    try {
      run();
    } catch (cause) {
      throw new HoldfastError('HF_UPDATE', `update() of ${name} threw, so the results stay unchanged`, {
        cause,
      });
    }
  });
}
