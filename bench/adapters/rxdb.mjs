import { createRxDatabase } from 'rxdb';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { WINDOW } from '../data.mjs';

const text = { type: 'string', maxLength: 100 };

/** An index needs limits of each field in it. */
const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: text,
    title: { type: 'string' },
    body: { type: 'string' },
    state: text,
    priority: { type: 'number' },
    comments: { type: 'number' },
    authorId: { type: 'string' },
    repoId: text,
    createdAt: { type: 'string' },
    updatedAt: { type: 'string' },
    isLocked: { type: 'boolean' },
    score: { type: 'number', minimum: 0, maximum: 10_000_000, multipleOf: 0.125 },
  },
  required: ['id', 'state', 'repoId', 'score'],
  indexes: [['state', 'repoId', 'score']],
};

let databases = 0;

/** Documents in memory. Writes, reads and results are promises. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'RxDB (in memory; asynchronous)',
  isAsync: true,
  async create() {
    const database = await createRxDatabase({
      name: `bench${databases++}`,
      storage: getRxStorageMemory(),
      // There is one tab.
      multiInstance: false,
      // As its documentation advises for live queries.
      eventReduce: true,
    });
    const { rows } = await database.addCollections({ rows: { schema } });
    const changeRow = async (id, change) => {
      const row = await rows.findOne(id).exec();
      await row.incrementalPatch(change);
    };
    return {
      async storeRows(list) {
        await rows.bulkInsert(list);
        // The storage puts rows into its indexes before its first read, which is part of storing them.
        await rows.findOne(list[0].id).exec();
      },
      readRow: (id) => rows.findOne(id).exec(),
      changeRow,
      setScore: (id, score) => changeRow(id, { score }),
      openWindow(repoId) {
        let query;
        let shown;
        let subscription;
        const start = (limit) => {
          subscription?.unsubscribe();
          query = rows.find({ selector: { state: WINDOW.state, repoId }, sort: [{ score: 'desc' }], limit });
          subscription = query.$.subscribe((documents) => (shown = documents));
        };
        const read = async () => {
          // Resolves when the query has processed all writes so far, and its listener has received the result.
          await query.exec();
          return shown;
        };
        start(WINDOW.limit);
        return {
          read,
          show(limit) {
            start(limit);
            return read();
          },
        };
      },
    };
  },
};
