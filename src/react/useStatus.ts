import { useSyncExternalStore } from 'react';
import type { PluginStatus } from '../controller/plugins/Plugin.ts';

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
  return useSyncExternalStore(source.subscribe, source.get, () => source.initial ?? source.get());
}
