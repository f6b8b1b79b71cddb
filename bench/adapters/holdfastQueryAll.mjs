import { All, Controller, Entity, Query } from 'holdfast';
import { WINDOW } from '../data.mjs';

class Row extends Entity {
  id = '';
  title = '';
  body = '';
  state = 'open';
  priority = 0;
  comments = 0;
  authorId = '';
  repoId = '';
  createdAt = '';
  updatedAt = '';
  isLocked = false;
  score = 0;
  static key = 'Row';
}

const rowWindow = new Query(new All(Row), (rows, { repoId, limit }) =>
  rows
    .filter((row) => row.state === WINDOW.state && row.repoId === repoId)
    .sort((left, right) => right.score - left.score)
    .slice(0, limit),
);

/** A live query without `Select`: a function of all rows. */
/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Holdfast, `Query(All)`',
  create() {
    const controller = new Controller();
    return {
      storeRows: (rows) => controller.set([Row], rows),
      setScore: (id, score) => controller.set(Row, { id }, { score }),
      openWindow(repoId) {
        const show = (limit) => {
          controller.watch(rowWindow, { repoId, limit }, () => undefined);
          return controller.get(rowWindow, { repoId, limit });
        };
        show(WINDOW.limit);
        return { read: () => controller.get(rowWindow, { repoId, limit: WINDOW.limit }), show };
      },
    };
  },
};
