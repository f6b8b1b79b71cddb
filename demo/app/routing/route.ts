import { readFilters, writeFilters, type Filters } from './filters.ts';

/** What the address says to show. */
export type Route =
  | { screen: 'projects' }
  | { screen: 'project'; project: string; issue: string | undefined; filters: Filters }
  | { screen: 'new'; project: string }
  | { screen: 'people' }
  | { screen: 'person'; person: string; page: number }
  | { screen: 'missing'; path: string };

export function parseRoute(address: string): Route {
  const { pathname, searchParams } = new URL(address, 'http://app');
  const missing: Route = { screen: 'missing', path: pathname };
  const [first, second, third, fourth, ...rest] = segments(pathname) ?? ['?'];
  if (rest.length > 0) return missing;
  if (first === undefined) return { screen: 'projects' };
  if (first === 'people' && third === undefined) {
    return second === undefined
      ? { screen: 'people' }
      : { screen: 'person', person: second, page: readFilters(searchParams).page };
  }
  if (first !== 'projects') return missing;
  if (second === undefined) return { screen: 'projects' };
  if (third === 'new' && fourth === undefined) return { screen: 'new', project: second };
  if (third === undefined || (third === 'issues' && fourth !== undefined)) {
    return { screen: 'project', project: second, issue: fourth, filters: readFilters(searchParams) };
  }
  return missing;
}

function segments(pathname: string): string[] | undefined {
  try {
    return pathname.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

export const projectsPath = '/';
export const peoplePath = '/people';

export function projectPath(project: string, filters?: Filters): string {
  return `/projects/${encodeURIComponent(project)}${filters ? writeFilters(filters) : ''}`;
}

export function issuePath(project: string, issue: string, filters?: Filters): string {
  return `/projects/${encodeURIComponent(project)}/issues/${encodeURIComponent(issue)}${filters ? writeFilters(filters) : ''}`;
}

export function newIssuePath(project: string): string {
  return `/projects/${encodeURIComponent(project)}/new`;
}

export function personPath(person: string, page = 1): string {
  return `/people/${encodeURIComponent(person)}${page > 1 ? `?page=${page}` : ''}`;
}
