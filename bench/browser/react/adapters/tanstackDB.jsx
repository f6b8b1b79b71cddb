import { BasicIndex, createCollection, eq, useLiveQuery } from '@tanstack/react-db';
import { WINDOW } from '../../../data.mjs';

/**
 * A collection that a server feeds: changes are written by its sync, without optimistic state. It is measured in live
 * queries alone.
 */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'TanStack DB, `useLiveQuery`',
  create(issues) {
    let sync;
    const write = (type, values) => {
      sync.begin();
      for (const value of values) sync.write({ type, value });
      sync.commit();
    };
    const collection = createCollection({
      id: 'issues',
      getKey: ({ id }) => id,
      startSync: true,
      autoIndex: 'eager',
      defaultIndexType: BasicIndex,
      sync: {
        sync(parameters) {
          sync = parameters;
          write('insert', issues);
          sync.markReady();
        },
      },
    });
    const merged = ([id, change]) => ({ ...collection.get(id), ...change });
    const useRows = ({ state, repoId }) =>
      useLiveQuery(
        (q) =>
          q
            .from({ row: collection })
            .where(({ row }) => eq(row.state, state))
            .where(({ row }) => eq(row.repoId, repoId))
            .orderBy(({ row }) => row.score, 'desc')
            .limit(WINDOW.limit),
        [state, repoId],
      ).data;
    return {
      Provider: ({ children }) => children,
      useWindow: () => useRows(WINDOW),
      change: (id, change) => write('update', [merged([id, change])]),
      changeAll: (changes) => {
        // Changes of one row build on each other.
        const values = new Map();
        for (const [id, change] of changes)
          values.set(id, { ...(values.get(id) ?? collection.get(id)), ...change });
        write('update', values.values());
      },
    };
  },
};
