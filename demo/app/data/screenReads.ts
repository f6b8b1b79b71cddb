import type { EndpointArgs, EndpointInterface } from 'holdfast';
import { CommentResource } from '../model/Comment.ts';
import { IssueResource } from '../model/IssueResource.ts';
import { LabelResource } from '../model/Label.ts';
import { PersonResource } from '../model/Person.ts';
import { ProjectResource } from '../model/Project.ts';
import type { Route } from '../routing/route.ts';

/** Does something with one read. */
export type Ask = <E extends EndpointInterface>(endpoint: E, ...args: EndpointArgs<E>) => unknown;

/** Calls `ask` for everything that the screen of a route reads, beside the issues themselves. */
export function screenReads(route: Route, ask: Ask): unknown[] {
  return [ask(ProjectResource.getList), ask(PersonResource.getList), ...ownReads(route, ask)];
}

function ownReads(route: Route, ask: Ask): unknown[] {
  switch (route.screen) {
    case 'project': {
      const { issue: id } = route;
      const labels = ask(LabelResource.getList);
      return id === undefined
        ? [labels]
        : [labels, ask(IssueResource.get, { id }), ask(CommentResource.getList, { issue: id })];
    }
    case 'new':
      return [ask(LabelResource.getList)];
    case 'person':
      return [ask(PersonResource.get, { id: route.person })];
    case 'projects':
    case 'people':
    case 'missing':
      return [];
  }
}
