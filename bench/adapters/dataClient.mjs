import { Controller, createReducer, initialState } from '@data-client/core';
import { Endpoint, Entity, schema } from '@data-client/endpoint';

class Base extends Entity {
  id = '';
  pk() {
    return this.id;
  }
}

class User extends Base {
  login = '';
  name = '';
  avatarUrl = '';
  static key = 'User';
}

class Label extends Base {
  name = '';
  color = '';
  static key = 'Label';
}

class Repo extends Base {
  name = '';
  owner = '';
  stars = 0;
  static key = 'Repo';
}

class Issue extends Base {
  number = 0;
  title = '';
  body = '';
  state = 'open';
  comments = 0;
  createdAt = '';
  updatedAt = '';
  author = User.fromJS();
  labels = [];
  repo = Repo.fromJS();
  static key = 'Issue';
  static schema = { author: User, labels: [Label], repo: Repo };
}

class Row extends Base {
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

class Project extends Base {
  members = [];
  static key = 'Project';
}

class Member extends Base {
  title = '';
  project = Project.fromJS();
  static key = 'Member';
  static schema = { project: Project };
}
Project.schema = { members: [Member] };

const fetchNothing = async () => undefined;
const getIssues = new Endpoint(fetchNothing, { name: 'getIssues', schema: [Issue] });
const rowList = new schema.Collection([Row]);
const getRows = new Endpoint(fetchNothing, { name: 'getRows', schema: rowList });
const getRow = new Endpoint(fetchNothing, { name: 'getRow', schema: Row });
// This version has no `controller.set`: a change is the response of a mutation.
const updateIssue = new Endpoint(fetchNothing, { name: 'updateIssue', schema: Issue, sideEffect: true });
const updateUser = new Endpoint(fetchNothing, { name: 'updateUser', schema: User, sideEffect: true });
const pushRow = new Endpoint(fetchNothing, { name: 'pushRow', schema: rowList.push, sideEffect: true });
const updateRow = new Endpoint(fetchNothing, { name: 'updateRow', schema: Row, sideEffect: true });

const getProject = new Endpoint(fetchNothing, { name: 'getProject', schema: Project });
const updateMember = new Endpoint(fetchNothing, { name: 'updateMember', schema: Member, sideEffect: true });

const everyKey = { testKey: () => true };
const VALID = 3;

/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Data Client',
  create() {
    let state = initialState;
    const changed = new Set();
    // What its provider does around the controller: a reducer, and a notification of each new state.
    const controller = new Controller({
      dispatch(action) {
        state = reduce(state, action);
        for (const listener of changed) listener();
        return Promise.resolve();
      },
      getState: () => state,
    });
    const reduce = createReducer(controller);
    const readRow = (id) => controller.getResponse(getRow, { id }, state).data;
    return {
      storeIssues: (issues) => void controller.setResponse(getIssues, { state: 'all' }, issues),
      readIssues: () => controller.getResponse(getIssues, { state: 'all' }, state).data,
      changeIssue: (id, change) => void controller.setResponse(updateIssue, { id }, { id, ...change }),
      changeAuthor: (id, change) => void controller.setResponse(updateUser, { id }, { id, ...change }),
      storeRows: (rows) => void controller.setResponse(getRows, rows),
      readRows: () => controller.getResponse(getRows, state).data,
      readRow,
      changeRow: (id, change) => void controller.setResponse(updateRow, { id }, { id, ...change }),
      pushRow: (row) => void controller.setResponse(pushRow, row, row),
      storeRowResults(rows) {
        // Each of its writes copies all results, so many are only feasible as an initial state of one's own.
        void controller.setResponse(getRows, rows);
        const results = { ...state.results };
        const meta = { ...state.meta };
        const date = Date.now();
        for (const { id } of rows) {
          const key = getRow.key({ id });
          results[key] = id;
          meta[key] = { date, expiresAt: date + 60_000, prevExpiresAt: undefined };
        }
        state = { ...state, results, meta };
      },
      invalidateRowResult: (id) => void controller.invalidate(getRow, { id }),
      isRowResultShown: (id) => controller.getResponse(getRow, { id }, state).expiryStatus === VALID,
      expireAll: () => void controller.expireAll(everyKey),
      // It joins by recursion, which a chain of 5,000 overflows.
      storeProject: (project) => void controller.setResponse(getProject, project),
      readProject: () => controller.getResponse(getProject, state).data,
      changeMember: (id, change) => void controller.setResponse(updateMember, { id }, { id, ...change }),
      watchRow(id, listener) {
        let shown = readRow(id);
        changed.add(() => {
          const row = readRow(id);
          if (row === shown) return;
          shown = row;
          listener(row);
        });
      },
    };
  },
};
