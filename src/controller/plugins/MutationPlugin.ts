import type { LayerId, SideRecords } from '../../store/Commit.ts';
import type { Mutation } from '../writes/Mutation.ts';
import type { PluginOf } from './Plugin.ts';

/**
 * A plugin that applies and sends mutations itself, now or later, such as `outbox`. `Mutations` has an example. Records
 * that it commits in `side`, under its own name, reach the storage plugin and other tabs.
 */
export interface MutationPluginOf<Controller> extends PluginOf<Controller> {
  /**
   * Called synchronously by `fetch` of a mutation. A plugin that returns a promise takes it over: it shows and sends
   * it by `Mutations`, now or later, and `fetch` returns this promise.
   */
  mutate(mutation: Mutation): Promise<unknown> | undefined;
  /**
   * Another tab has committed these records under this plugin's name; undefined means deleted. Called before the
   * commit's other changes are applied here.
   *
   * @param hasRows - whether the commit also has rows; a tab may only have found on disk what was answered
   * @returns the layers of this controller that the same commit removes
   */
  settles?(records: SideRecords, hasRows: boolean): readonly LayerId[];
  /**
   * Its stored records may differ from those in memory.
   *
   * @param cause - `'missed'`: changes of other tabs were missed, so it reads its records again; `'lost'`: the browser
   * has deleted the database of the storage plugin, so it commits again what it still needs
   */
  syncRecords?(cause: 'missed' | 'lost'): Promise<void>;
}
