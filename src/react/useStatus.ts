import { useReducer, useSyncExternalStore } from 'react';
import type { PluginStatus } from '../controller/plugins/Plugin.ts';
import { useIsomorphicLayoutEffect } from './useIsomorphicLayoutEffect.ts';

const NONE: PluginStatus<undefined> = { get: () => undefined, subscribe: () => () => undefined };

/**
 * The status that a plugin reports; renders again when it changes.
 *
 * @param status - of a plugin object, such as `storage.status`, or `controller.status('indexeddb')`
 * @example
 * const storage = indexedDB({ name: 'app' });
 * const { state, rows } = useStatus(storage.status);
 */
export function useStatus<Value>(status: PluginStatus<Value>): Value;
export function useStatus<Value>(status: PluginStatus<Value> | undefined): Value | undefined;
export function useStatus<Value>(status: PluginStatus<Value> | undefined): Value | undefined {
  const source: PluginStatus<Value | undefined> = status ?? NONE;
  const value = useSyncExternalStore(source.subscribe, source.get, () => source.initial ?? source.get());
  const [, render] = useReducer((renders: number) => renders + 1, 0);
  // A component that rendered after this one may have started a restore. React would notice after the first paint.
  useIsomorphicLayoutEffect(() => {
    if (source.get() !== value) render();
  }, [source, value]);
  return value;
}
