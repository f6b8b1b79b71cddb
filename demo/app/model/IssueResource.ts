import { createResource, RestEndpoint } from 'holdfast';
import { api } from './api.ts';
import { Issue, type IssueChanges, type NewIssue } from './Issue.ts';

/** Only its type counts. */
const body: IssueChanges = {};

const base = createResource({
  urlPrefix: api,
  path: '/issues/:id',
  schema: Issue,
  dataExpiryLength: Infinity,
  optimistic: true,
  body,
});

/** A new issue has no comments on the server yet, and those written offline are already in place: no request is needed. */
function withoutComments(issue: object): object {
  return { ...issue, comments: [] };
}

/** Every mutation says what it is expected to answer, so that the outbox can show it until it is sent. */
export const IssueResource = {
  ...base,
  create: new RestEndpoint({
    urlPrefix: api,
    path: '/issues',
    method: 'POST',
    name: 'Issue.create',
    schema: Issue,
    body: {} as NewIssue, // a type
    dataExpiryLength: Infinity,
    process: withoutComments,
    getOptimisticResponse(snapshot, issue) {
      const now = new Date(snapshot.fetchedAt).toISOString();
      const sent = issue as NewIssue; // its body
      return { ...sent, commentCount: 0, version: 1, createdAt: now, updatedAt: now, comments: [] };
    },
  }),
  partialUpdate: base.partialUpdate.extend({
    getRequestInit(changes?: unknown): RequestInit | Promise<RequestInit> {
      const { base: _never, ...sent } = changes as IssueChanges; // its body
      return base.partialUpdate.getRequestInit.call(this, sent);
    },
    getOptimisticResponse: (snapshot, { id }, { base: _never, ...changes }) => {
      const issue = snapshot.get(Issue, { id });
      if (!issue) throw snapshot.abort;
      // As the server counts, so that a second change is made to the version that the first will make.
      const updatedAt = new Date(snapshot.fetchedAt).toISOString();
      return { ...changes, id, version: issue.version + 1, updatedAt };
    },
  }),
};
