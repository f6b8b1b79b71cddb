import { Controller } from 'holdfast';
import { createPlugins } from '../../../demo/app/data/plugins.ts';
import { IssueChanges } from '../../../demo/app/model/issueChanges.ts';
import { LabelResource } from '../../../demo/app/model/Label.ts';
import { PersonResource } from '../../../demo/app/model/Person.ts';
import { ProjectResource } from '../../../demo/app/model/Project.ts';

/** Who is signed in at the first visit. */
const PERSON = 'mira-lindqvist';

/** Issues of a response. */
const PAGE = 100;

/**
 * Stores, as the demo itself would: what the screen of a project reads, as the server has it, and later changes, which
 * are issues made by formula, until there are so many.
 *
 * @returns {Promise<string>} the project's id
 */
globalThis.storeIssues = async (count) => {
  const { all } = createPlugins(PERSON, () => PERSON, [], 'lazy');
  const controller = new Controller({ plugins: all });
  await controller.ready;
  const [projects, people, labels] = await Promise.all([
    controller.fetch(ProjectResource.getList),
    controller.fetch(PersonResource.getList),
    controller.fetch(LabelResource.getList),
  ]);
  const project = projects[0];
  await controller.fetch(IssueChanges, {});
  const issue = (number) => ({
    id: `${project.id}-made-${number}`,
    number,
    title: `The screen of step ${number} stays empty when the network is slow`,
    body: `Open step ${number}, switch the network off and on again, and look at the list. Nothing is shown.`,
    status: number % 3 === 0 ? 'done' : 'todo',
    priority: 'none',
    project: { id: project.id, name: project.name, color: project.color },
    author: { ...people[number % people.length] },
    assignee: null,
    labels: [{ ...labels[number % labels.length] }],
    commentCount: 0,
    version: 1,
    createdAt: new Date(1_700_000_000_000 + number * 1_000).toISOString(),
    updatedAt: new Date(1_700_000_000_000 + number * 2_000).toISOString(),
  });
  for (let page = 1; page * PAGE <= count; page++) {
    const until = new Date(1_700_000_000_000 + page * 1_000).toISOString();
    controller.setResponse(
      IssueChanges,
      { since: until },
      {
        sync: { id: 'issues', until },
        issues: Array.from({ length: PAGE }, (_, place) => issue((page - 1) * PAGE + place)),
        deleted: [],
      },
    );
    if (page % 50 === 0) await controller.flush();
  }
  await controller.flush();
  return project.id;
};

/** Resolves once what was flushed has left the log, and nothing is being written any more. */
globalThis.settled = async () => {
  for (let before = -1, still = 0; still < 4;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const records = await logged();
    still = records === before ? still + 1 : 0;
    before = records;
  }
};

function logged() {
  return new Promise((resolve, reject) => {
    const opening = globalThis.indexedDB.open(`holdfast-demo:${PERSON}`);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('log').objectStore('log').count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  });
}
