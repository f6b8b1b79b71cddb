import type { Controller } from 'holdfast';
import { PersonIssues, ProjectIssues } from '../model/issueLists.ts';
import type { Route } from '../routing/route.ts';
import { screenReads } from './screenReads.ts';

/**
 * Everything kept on this device may be outdated from here on; the data on screen is refetched now, the rest
 * when it is next opened.
 */
export async function refresh(controller: Controller, route: Route): Promise<void> {
  controller.expireAll({ testKey: () => true });
  await Promise.all(screenReads(route, (endpoint, ...args) => controller.fetch(endpoint, ...args)));
}

/** Says that lists of issues may have other members or another order now. */
export function expireIssueLists(controller: Controller): void {
  controller.expireAll({ testKey: (key) => ProjectIssues.testKey(key) || PersonIssues.testKey(key) });
}

/**
 * Begins to read what the first screen needs, from this device or else from the server, and resolves when it is there
 * or `patience` is over. A screen that is drawn with its data does not flash its skeleton first.
 *
 * @param patience milliseconds
 */
export async function preload(controller: Controller, route: Route, patience: number): Promise<void> {
  const reads = screenReads(route, async (endpoint, ...args) => controller.fetchIfStale(endpoint, ...args));
  // Components show the errors of their own reads.
  await Promise.race([Promise.allSettled(reads), new Promise((resolve) => setTimeout(resolve, patience))]);
}
