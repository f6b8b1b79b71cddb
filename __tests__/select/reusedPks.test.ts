import { expect, it } from '@jest/globals';
import { Controller, createResource, Entity, RestEndpoint, Select, type RestEndpointOptions } from 'holdfast';
import { Issue } from '../support/entities.ts';

class UserWithSlug extends Entity {
  slug = '';
  name = '';
  static override key = 'User';
  override pk() {
    return this.slug;
  }
}

class IssueWithAssignee extends Issue {
  assignee: UserWithSlug | null = null;
  static override schema = { assignee: UserWithSlug };
}

/** Answers with the body. */
class Echo<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(_url: string, { body }: RequestInit): Promise<Response> {
    return Promise.resolve(Response.json(JSON.parse(body as string)));
  }
}

const UserResource = createResource({ path: '/users/:slug', schema: UserWithSlug, Endpoint: Echo });

const issuesOf = new Select(IssueWithAssignee, {
  where: ({ name }: { name: string }) => ({ assignee: { name } }),
});

it.each([
  ['read before', true],
  ['first read afterwards', false],
])(
  'a condition on a relation means the renamed entity, also when another one gets its pk: %s',
  async (_, isRead) => {
    const controller = new Controller();
    controller.set(
      IssueWithAssignee,
      { id: '1' },
      { id: '1', title: 'One', assignee: { slug: 'a', name: 'Ann' } },
    );
    // The class without the relation is the first to read the row.
    expect(controller.get(Issue, { id: '1' })?.title).toBe('One');
    const titles = (name: string) => controller.get(issuesOf, { name })?.map(({ title }) => title);
    const seen: (readonly string[] | undefined)[] = [];
    if (isRead) {
      expect([titles('Ann'), titles('Bob')]).toEqual([['One'], []]);
      controller.watch(issuesOf, { name: 'Bob' }, (issues) => seen.push(issues?.map(({ title }) => title)));
    }
    await controller.fetch(UserResource.update, { slug: 'a' }, { slug: 'c', name: 'Ann' });
    if (isRead) expect([titles('Ann'), titles('Bob')]).toEqual([['One'], []]);
    await controller.fetch(UserResource.create, { slug: 'a', name: 'Bob' });
    controller.get(Issue, { id: '1' });
    expect(controller.get(IssueWithAssignee, { id: '1' })?.assignee?.name).toBe('Ann');
    expect([titles('Ann'), titles('Bob')]).toEqual([['One'], []]);
    await controller.fetch(UserResource.update, { slug: 'c' }, { slug: 'c', name: 'Anne' });
    expect([titles('Anne'), titles('Ann'), titles('Bob')]).toEqual([['One'], [], []]);
    expect(seen).toEqual([]);
  },
);
