import { createReducer, initialState } from '@data-client/core';
import { Endpoint, Entity, schema } from '@data-client/endpoint';
import { CacheProvider, Controller, useCache, useController } from '@data-client/react';
import { useMemo } from 'react';

class User extends Entity {
  id = '';
  name = '';
  static key = 'User';
  pk() {
    return this.id;
  }
}

class Issue extends Entity {
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
  pk() {
    return this.id;
  }
}

const fetchNothing = async () => undefined;
const list = new schema.Collection([Issue]);
const getIssues = new Endpoint(fetchNothing, { name: 'getIssues', schema: list, dataExpiryLength: 1e9 });
const pushIssue = new Endpoint(fetchNothing, { name: 'pushIssue', schema: list.push, sideEffect: true });
const getIssue = new Endpoint(fetchNothing, { name: 'getIssue', schema: Issue });
const removeIssue = new Endpoint(fetchNothing, {
  name: 'removeIssue',
  schema: new schema.Invalidate(Issue),
  sideEffect: true,
});
// This version has no `controller.set`: a change is the response of a mutation.
const update = new Endpoint(fetchNothing, { name: 'update', schema: Issue, sideEffect: true });
const updateUser = new Endpoint(fetchNothing, { name: 'updateUser', schema: User, sideEffect: true });

/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'Data Client',
  create(issues) {
    // Filled before it is rendered, as a server's state would be.
    let state = initialState;
    const filling = new Controller({
      dispatch: async (action) => void (state = createReducer(filling)(state, action)),
      getState: () => state,
    });
    void filling.setResponse(getIssues, issues);
    let controller;
    const Seen = ({ children }) => {
      controller = useController();
      return children;
    };
    return {
      Provider: ({ children }) => (
        <CacheProvider initialState={state} devButton={null} Controller={Controller}>
          <Seen>{children}</Seen>
        </CacheProvider>
      ),
      useIds() {
        const members = useCache(getIssues);
        return useMemo(() => members.map(({ id }) => id), [members]);
      },
      useIssue: (id) => useCache(getIssue, { id }),
      useIssues: () => useCache(getIssues),
      change: (id, change) => controller.setResponse(update, { id }, { id, ...change }),
      changeAuthor: (author) => controller.setResponse(updateUser, { id: author.id }, author),
      push: (issue) => controller.setResponse(pushIssue, issue, issue),
      remove: (id) => controller.setResponse(removeIssue, { id }, { id }),
    };
  },
};
