import { denormalize, normalize, schema } from 'normalizr';

const User = new schema.Entity('users');
const Label = new schema.Entity('labels');
const Repo = new schema.Entity('repos');
const Issue = new schema.Entity('issues', { author: User, labels: [Label], repo: Repo });
const Member = new schema.Entity('members');
const Project = new schema.Entity('projects', { members: [Member] });
Member.define({ project: Project });
const Row = new schema.Entity('rows');

/** The reducer of its examples: every entity that arrived is merged into the one that is stored. */
function merge(entities, incoming) {
  const merged = { ...entities };
  for (const [table, rows] of Object.entries(incoming)) {
    const next = { ...merged[table] };
    for (const [id, row] of Object.entries(rows)) next[id] = { ...next[id], ...row };
    merged[table] = next;
  }
  return merged;
}

/** @type {import('../Adapter.mjs').Adapter} */
export const adapter = {
  title: 'normalizr + reducer',
  create() {
    let state = { entities: {}, results: {} };
    const store = (key, shape, response) => {
      const { result, entities } = normalize(response, shape);
      state = { entities: merge(state.entities, entities), results: { ...state.results, [key]: result } };
    };
    const change = (shape, id, fields) => {
      const { entities } = normalize({ id, ...fields }, shape);
      state = { ...state, entities: merge(state.entities, entities) };
    };
    return {
      storeIssues: (issues) => store('issues', [Issue], issues),
      readIssues: () => denormalize(state.results.issues, [Issue], state.entities),
      changeIssue: (id, fields) => change(Issue, id, fields),
      changeAuthor: (id, fields) => change(User, id, fields),
      storeRows: (rows) => store('rows', [Row], rows),
      readRows: () => denormalize(state.results.rows, [Row], state.entities),
      readRow: (id) => denormalize(id, Row, state.entities),
      changeRow: (id, fields) => change(Row, id, fields),
      // It joins by recursion, which a chain of 5,000 overflows.
      storeProject: (project) => store('project', Project, project),
      readProject: () => denormalize(state.results.project, Project, state.entities),
      changeMember: (id, fields) => change(Member, id, fields),
      pushRow(row) {
        const { result, entities } = normalize(row, Row);
        const rows = [...state.results.rows, result];
        state = { entities: merge(state.entities, entities), results: { ...state.results, rows } };
      },
    };
  },
};
