import { useSyncExternalStore } from 'react';
import type { PluginStatus } from '../controller/Plugin.ts';

const NONE: PluginStatus<undefined> = { get: () => undefined, subscribe: () => () => undefined };

/**
 * What a plugin tells of how it is doing; renders again when that changes.
 *
 * @param status - of a plugin at hand, such as `storage.status`, or `controller.status('indexeddb')`
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
