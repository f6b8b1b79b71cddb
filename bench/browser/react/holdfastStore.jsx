import { Collection, Controller, Endpoint, Entity, QueryEach } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';

class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
}

export class Issue extends Entity {
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
  author = User.fromJS();
  static key = 'Issue';
  static schema = { author: User };
}

const fetchNothing = async () => undefined;
const list = new Collection([Issue]);
const getIssues = new Endpoint(fetchNothing, { name: 'getIssues', schema: list, dataExpiryLength: Infinity });
const pushIssue = new Endpoint(fetchNothing, { name: 'pushIssue', schema: list.push, sideEffect: true });
export const getIssue = new Endpoint(fetchNothing, { name: 'getIssue', schema: Issue });
const ids = new QueryEach(list, ({ id }) => id);

/** @returns {import('./Adapter.mjs').Store} */
export function makeStore(issues, useIssue) {
  const controller = new Controller();
  controller.setResponse(getIssues, issues);
  const change = (id, fields) => controller.set(Issue, { id }, fields);
  return {
    Provider: ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>,
    useIds: () => useQuery(ids),
    useIssue,
    useIssues: () => useSuspense(getIssues),
    change,
    stream: (id, fields) => controller.batch(() => change(id, fields), { notify: 'frame' }),
    changeAll: (changes) =>
      controller.batch(() => {
        for (const [id, fields] of changes) change(id, fields);
      }),
    changeAuthor: (author) => controller.set(User, { id: author.id }, author),
    push: (issue) => controller.setResponse(pushIssue, issue, issue),
    remove: (id) => controller.set(list, (members) => members.filter((issue) => issue.id !== id)),
  };
}
