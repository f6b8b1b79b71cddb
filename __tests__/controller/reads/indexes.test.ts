import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity, RestEndpoint, type RestEndpointOptions } from 'holdfast';

/** The server numbers issues per project. */
class Issue extends Entity {
  id = '';
  project = '';
  number = 0;
  title = '';
  static override key = 'Issue';
  static override readonly indexes = ['number'];
}

class WithoutContent<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override async fetchResponse(): Promise<Response> {
    return Promise.resolve(new Response(null, { status: 204 }));
  }
}

const issues = createResource({
  path: '/projects/:project/issues/:number',
  schema: Issue,
  optimistic: true,
  Endpoint: WithoutContent,
});

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  controller.setResponse(issues.getList, { project: 'web' }, [
    { id: 'x', project: 'web', number: 1, title: 'of web' },
  ]);
});

describe('a row found by an index', () => {
  it('a read finds the row that has all args', () => {
    expect(controller.getResponse(issues.get, { project: 'web', number: 1 }).data?.id).toBe('x');
    expect(controller.getResponse(issues.get, { project: 'web', number: '1' }).data?.id).toBe('x');
    expect(controller.get(Issue, { number: 1 })?.id).toBe('x');
  });

  it('a read does not find a row of another project', () => {
    expect(controller.getResponse(issues.get, { project: 'app', number: 1 }).data).toBeUndefined();
    expect(controller.get(Issue, { project: 'app', number: 1 })).toBeUndefined();
  });

  it('a watched read finds a row once it has the args, and loses it when it has other ones', () => {
    const seen: unknown[] = [];
    controller.watch(issues.get, { project: 'app', number: 1 }, (issue) => seen.push(issue?.id));
    controller.set(Issue, { id: 'x' }, { project: 'app' });
    controller.set(Issue, { id: 'x' }, { project: 'web' });
    controller.set(Issue, { id: 'a' }, { id: 'a', project: 'app', number: 1 });
    expect(seen.slice(-3)).toEqual(['x', undefined, 'a']);
    expect(controller.get(Issue, { project: 'web', number: 1 })?.id).toBe('x');
  });

  it('an update does not change a row of another project', async () => {
    await controller.fetch(issues.partialUpdate, { project: 'app', number: 1 }, { title: 'of app' });
    expect(controller.get(Issue, { id: 'x' })?.title).toBe('of web');
    await controller.fetch(issues.partialUpdate, { project: 'web', number: 1 }, { title: 'changed' });
    expect(controller.get(Issue, { id: 'x' })?.title).toBe('changed');
  });

  it('a delete does not delete a row of another project', async () => {
    await controller.fetch(issues.delete, { project: 'app', number: 1 });
    expect(controller.getResponse(issues.getList, { project: 'web' }).data).toHaveLength(1);
    await controller.fetch(issues.delete, { project: 'web', number: 1 });
    expect(controller.getResponse(issues.getList, { project: 'web' }).data).toHaveLength(0);
  });

  it('a relation in the args contradicts no row, since rows have its pk', () => {
    class Project extends Entity {
      id = '';
      slug = '';
      static override key = 'Project';
    }
    class IssueOfProject extends Issue {
      static override schema = { project: Project };
    }
    controller.set(IssueOfProject, { id: 'y' }, { id: 'y', number: 7, project: { id: '1', slug: 'app' } });
    expect(controller.get(IssueOfProject, { project: 'app', number: 7 })?.id).toBe('y');
  });

  it('a row found by the pk of its relation has the other args, too', () => {
    class Review extends Entity {
      id = '';
      issue: Issue | string = '';
      round = 0;
      static override key = 'Review';
      static override schema = { issue: Issue };
      static override readonly indexes = ['issue'];
    }
    const issue = { id: 'x' };
    controller.set(
      [Review],
      [
        { id: 'r1', issue, round: 1 },
        { id: 'r2', issue, round: 2 },
      ],
    );
    expect(controller.get(Review, { issue: 'x', round: 2 })?.id).toBe('r2');
    expect(controller.get(Review, { issue: 'x', round: 3 })).toBeUndefined();
  });
});
