import {
  BasicIndex,
  createCollection,
  createLiveQueryCollection,
  eq,
  localOnlyCollectionOptions,
} from '@tanstack/react-db';
import { WINDOW } from '../data.mjs';

/** Collections in memory, with live queries of them. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack DB',
  create() {
    const collection = createCollection(
      localOnlyCollectionOptions({
        id: 'rows',
        getKey: (row) => row.id,
        autoIndex: 'eager',
        defaultIndexType: BasicIndex,
      }),
    );
    const changeRow = (id, change) =>
      void collection.update(id, (draft) => void Object.assign(draft, change));
    return {
      storeRows: (rows) => void collection.insert(rows),
      readRow: (id) => collection.get(id),
      changeRow,
      setScore: (id, score) => changeRow(id, { score }),
      openWindow(repoId) {
        const live = createLiveQueryCollection({
          startSync: true,
          query: (q) =>
            q
              .from({ row: collection })
              .where(({ row }) => eq(row.state, WINDOW.state))
              .where(({ row }) => eq(row.repoId, repoId))
              .orderBy(({ row }) => row.score, 'desc')
              .limit(WINDOW.limit),
        });
        live.subscribeChanges(() => undefined);
        return {
          read: () => live.toArray,
          async show(limit) {
            await live.utils.setWindow({ offset: 0, limit });
            return live.toArray;
          },
        };
      },
    };
  },
};
