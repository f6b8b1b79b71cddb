import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity, Select, Values } from 'holdfast';

/** More than an engine accepts as arguments of a call. */
const COUNT = 200_000;

class Issue extends Entity {
  id = '';
  static override key = 'Issue';
}

class Project extends Entity {
  id = '';
  issues: Issue[] = [];
  static override key = 'Project';
  static override schema = { issues: [Issue] };
}

class Index extends Entity {
  id = '';
  byId: Record<string, Issue> = {};
  static override key = 'Index';
  static override schema = { byId: new Values(Issue) };
}

const Issues = createResource({ urlPrefix: 'https://example.com', path: '/issues/:id', schema: Issue });
const Projects = createResource({ urlPrefix: 'https://example.com', path: '/projects/:id', schema: Project });
const Indexes = createResource({ urlPrefix: 'https://example.com', path: '/indexes/:id', schema: Index });
const all = new Select(Issue, {});

const issues = Array.from({ length: COUNT }, (_, id) => ({ id: `${id}` }));
const NOTHING = (): void => undefined;

const newController = (): Controller => new Controller({ schedule: () => NOTHING });

describe('a list of 200,000 rows', () => {
  it('is read, and released when it is no longer mounted', () => {
    const controller = newController();
    controller.setResponse(Issues.getList, issues);
    const unwatch = controller.watch(Issues.getList, NOTHING);
    expect(controller.snapshot().getResponse(Issues.getList).data).toHaveLength(COUNT);
    unwatch();
    controller.setResponse(Issues.getList, issues.slice(0, 1));
    expect(controller.snapshot().getResponse(Issues.getList).data).toHaveLength(1);
  });

  it('of an entity goes with the entity', () => {
    const controller = newController();
    controller.setResponse(Projects.get, { id: 'own' }, { id: 'own', issues });
    const unwatch = controller.watch(Projects.get, { id: 'own' }, NOTHING);
    expect(controller.get(Project, { id: 'own' })?.issues).toHaveLength(COUNT);
    controller.setResponse(Projects.delete, { id: 'own' }, { id: 'own' });
    expect(controller.get(Project, { id: 'own' })).toBeUndefined();
    unwatch();
  });

  it('of an entity, by key, goes with the entity', () => {
    const controller = newController();
    controller.set(Index, { id: 'own' }, { byId: Object.fromEntries(issues.map((one) => [one.id, one])) });
    const unwatch = controller.watch(Index, { id: 'own' }, NOTHING);
    expect(controller.get(Index, { id: 'own' })?.byId['7']).toEqual({ id: '7' });
    controller.setResponse(Indexes.delete, { id: 'own' }, { id: 'own' });
    expect(controller.get(Index, { id: 'own' })).toBeUndefined();
    unwatch();
  });

  it('is shown by a live query and released', () => {
    const controller = newController();
    controller.set([Issue], issues);
    const unwatch = controller.watch(all, NOTHING);
    expect(controller.get(all)).toHaveLength(COUNT);
    unwatch();
    controller.set(Issue, { id: 'new' }, { id: 'new' });
    expect(controller.get(all)).toHaveLength(COUNT + 1);
  });
});
