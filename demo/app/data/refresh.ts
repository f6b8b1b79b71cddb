import type { Controller } from 'holdfast';
import { CommentResource } from '../model/Comment.ts';
import { IssueResource } from '../model/Issue.ts';
import { PersonIssues, ProjectIssues } from '../model/issueLists.ts';
import { LabelResource } from '../model/Label.ts';
import { PersonResource } from '../model/Person.ts';
import { ProjectResource } from '../model/Project.ts';
import { noFilters, toSearch } from '../routing/filters.ts';
import type { Route } from '../routing/route.ts';

/**
 * Everything kept on this device may be outdated from here on; what the screen shows is asked for again now, the rest
 * when it is next opened.
 */
export async function refresh(controller: Controller, route: Route): Promise<void> {
  controller.expireAll({ testKey: () => true });
  await Promise.all([controller.fetch(ProjectResource.getList), ...refreshScreen(controller, route)]);
}

function refreshScreen(controller: Controller, route: Route): Promise<unknown>[] {
  switch (route.screen) {
    case 'project':
      return [
        controller.fetch(ProjectIssues, { project: route.project, ...toSearch(route.filters) }),
        controller.fetch(LabelResource.getList),
        ...(route.issue === undefined
          ? []
          : [
              controller.fetch(IssueResource.get, { id: route.issue }),
              controller.fetch(CommentResource.getList, { issue: route.issue }),
            ]),
      ];
    case 'person':
      return [
        controller.fetch(PersonResource.get, { id: route.person }),
        controller.fetch(PersonIssues, {
          person: route.person,
          ...toSearch({ ...noFilters, page: route.page }),
        }),
      ];
    case 'people':
      return [controller.fetch(PersonResource.getList)];
    case 'projects':
    case 'new':
    case 'missing':
      return [];
  }
}

/** Says that lists of issues may have other members or another order now. */
export function expireIssueLists(controller: Controller): void {
  controller.expireAll({ testKey: (key) => ProjectIssues.testKey(key) || PersonIssues.testKey(key) });
}
