import { Collection, Controller, Endpoint, Entity, ExpiryStatus, Select } from 'holdfast';
import { WINDOW } from '../data.mjs';

class User extends Entity {
  id = '';
  login = '';
  name = '';
  avatarUrl = '';
  static key = 'User';
}

class Label extends Entity {
  id = '';
  name = '';
  color = '';
  static key = 'Label';
}

class Repo extends Entity {
  id = '';
  name = '';
  owner = '';
  stars = 0;
  static key = 'Repo';
}

class Issue extends Entity {
  id = '';
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

class Project extends Entity {
  id = '';
  members = [];
  static key = 'Project';
}

class Member extends Entity {
  id = '';
  title = '';
  project = Project.fromJS();
  static key = 'Member';
  static schema = { project: Project };
}
Project.schema = { members: [Member] };

class Step extends Entity {
  id = '';
  title = '';
  next = null;
  static key = 'Step';
}
Step.schema = { next: Step };

const fetchNothing = async () => undefined;
const getIssues = new Endpoint(fetchNothing, { name: 'getIssues', schema: [Issue] });
const rowList = new Collection([Row]);
const getRows = new Endpoint(fetchNothing, { name: 'getRows', schema: rowList });
const pushRow = new Endpoint(fetchNothing, { name: 'pushRow', schema: rowList.push, sideEffect: true });
const getRow = new Endpoint(fetchNothing, { name: 'getRow', schema: Row });

const getProject = new Endpoint(fetchNothing, { name: 'getProject', schema: Project });
const getSteps = new Endpoint(fetchNothing, { name: 'getSteps', schema: [Step] });

const rowWindow = new Select(Row, {
  where: ({ repoId }) => ({ state: WINDOW.state, repoId }),
  orderBy: { score: 'desc' },
  limit: ({ limit }) => limit,
});

const everyKey = { testKey: () => true };

/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Holdfast',
  create() {
    const controller = new Controller();
    return {
      storeIssues: (issues) => controller.setResponse(getIssues, { state: 'all' }, issues),
      readIssues: () => controller.getResponse(getIssues, { state: 'all' }).data,
      changeIssue: (id, change) => controller.set(Issue, { id }, change),
      changeAuthor: (id, change) => controller.set(User, { id }, change),
      storeRows: (rows) => controller.setResponse(getRows, rows),
      readRows: () => controller.getResponse(getRows).data,
      readRow: (id) => controller.get(Row, { id }),
      changeRow: (id, change) => controller.set(Row, { id }, change),
      pushRow: (row) => controller.setResponse(pushRow, row, row),
      storeRowResults(rows) {
        controller.batch(() => {
          for (const row of rows) controller.setResponse(getRow, { id: row.id }, row);
        });
      },
      invalidateRowResult: (id) => controller.invalidate(getRow, { id }),
      isRowResultShown: (id) => controller.getResponse(getRow, { id }).expiryStatus === ExpiryStatus.Valid,
      expireAll: () => controller.expireAll(everyKey),
      storeProject: (project) => controller.setResponse(getProject, project),
      readProject: () => controller.getResponse(getProject).data,
      changeMember: (id, change) => controller.set(Member, { id }, change),
      storeSteps: (steps) => controller.setResponse(getSteps, steps),
      readStep: (id) => controller.get(Step, { id }),
      changeStep: (id, change) => controller.set(Step, { id }, change),
      watchRow: (id, listener) => void controller.watch(Row, { id }, listener),
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
