import type { Controller } from 'holdfast';
import { fetchFirstIssues, fetchIssueChanges, IssueChanges } from '../model/issueChanges.ts';
import type { Route } from '../routing/route.ts';
import { screenReads } from './screenReads.ts';

/**
 * Everything kept on this device may be outdated from here on; the changed issues and the data on screen are fetched
 * now, the rest when it is next opened.
 */
export async function refresh(controller: Controller, route: Route): Promise<void> {
  controller.expireAll({ testKey: (key) => !IssueChanges.testKey(key) });
  const reads = screenReads(route, (endpoint, ...args) => controller.fetch(endpoint, ...args));
  await Promise.all([fetchIssueChanges(controller), ...reads]);
}

/** After so many ms the screen is drawn without its data, even if the database is not open yet. */
const LONGEST_OPENING = 3_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Begins to read what the first screen needs, from this device or else from the server, and resolves when it is there
 * or `patience` is over. A screen that is drawn with its data does not flash its skeleton first.
 *
 * @param patience milliseconds since the database is open
 */
export async function preload(controller: Controller, route: Route, patience: number): Promise<void> {
  const reads = screenReads(route, async (endpoint, ...args) => controller.fetchIfStale(endpoint, ...args));
  const issues = fetchFirstIssues(controller);
  // Components show the errors of their own reads.
  await Promise.race([
    Promise.allSettled([issues, ...reads]),
    controller.ready.catch(() => undefined).then(() => sleep(patience)),
    sleep(LONGEST_OPENING),
  ]);
}
