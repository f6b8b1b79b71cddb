import { Controller, Endpoint, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { changeOf, makeRows, rowId } from '../../data.mjs';
import { VirtualTime } from './VirtualTime.mjs';

/** Rows of a list, lists there are, and lists that are on screen within a minute. */
const LIST = 100;
const LISTS = 100;
const SHOWN = 20;
/** Changes a minute, ten a second. */
const CHANGES = 600;
const MINUTE = 60_000;

class Row extends Entity {
  id = '';
  static key = 'Row';
}

const time = new VirtualTime(1_750_000_000_000);
const rows = makeRows(LIST * LISTS);
/** What has happened. */
const done = { requests: 0, changes: 0, collections: 0, restores: 0 };

const getList = new Endpoint(
  ({ list }) => {
    done.requests += 1;
    return Promise.resolve(rows.slice(list * LIST, (list + 1) * LIST).map((row) => ({ ...row })));
  },
  { name: 'getList', schema: [Row], dataExpiryLength: Infinity },
);

const counting = {
  name: 'counting',
  commit({ action }) {
    if (action.type === 'collect') done.collections += 1;
    if (action.type === 'restore') done.restores += 1;
  },
};
const controller = new Controller({
  plugins: [indexedDB({ name: 'soak', restore: 'lazy' }), counting],
  gcTime: MINUTE / 2,
  now: () => time.now,
  schedule: time.schedule,
});

/** What a person does in a minute: looks at some lists, of which rows change, and leaves them. */
async function minute(nth) {
  const leave = [];
  const shown = Array.from({ length: SHOWN }, (_, place) => (nth * SHOWN + place) % LISTS);
  for (const list of shown) {
    leave.push(controller.view(getList, [{ list }]).subscribe(() => undefined));
    await controller.fetchIfStale(getList, { list });
  }
  for (let change = 0; change < CHANGES; change++) {
    const list = shown[change % SHOWN];
    controller.set(
      Row,
      { id: rowId(list * LIST + ((change * 7 + nth) % LIST)) },
      changeOf(nth * CHANGES + change),
    );
    done.changes += 1;
    if (change % 60 === 0) await time.pass(1_000);
  }
  await controller.flush();
  for (const unsubscribe of leave) unsubscribe();
  await time.pass(MINUTE);
  await controller.flush();
}

/** @returns how many minutes later it is, what has happened so far, and how many rows memory holds */
globalThis.soak = async (from, minutes) => {
  await controller.ready;
  for (let nth = from; nth < from + minutes; nth++) await minute(nth);
  return { ...done, rows: controller.getState().tables.Row?.size ?? 0 };
};
