import type { Commit, SideRecords } from 'holdfast';
import { IndexedDBPluginImpl } from '../../plugins/indexeddb/IndexedDBPluginImpl.ts';

/** The storage plugin, with records of another plugin in the commits that the test chooses, as of an outbox. */
export class PluginWithSide extends IndexedDBPluginImpl {
  readonly #recordsFor: (commit: Commit) => SideRecords | undefined;

  constructor(
    recordsFor: (commit: Commit) => SideRecords | undefined,
    ...options: ConstructorParameters<typeof IndexedDBPluginImpl>
  ) {
    super(...options);
    this.#recordsFor = recordsFor;
  }

  override commit(commit: Commit): void {
    const outbox = this.#recordsFor(commit);
    super.commit(outbox === undefined ? commit : { ...commit, side: { outbox } });
  }
}
