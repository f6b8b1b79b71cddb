import { issuesJson } from './data.mjs';

const json = issuesJson();

/** A cache that has just stored the nested list. @param {import('./Adapter.mjs').Adapter} adapter */
export function filledWithIssues(adapter) {
  const cache = adapter.create();
  cache.storeIssues(JSON.parse(json));
  return cache;
}
