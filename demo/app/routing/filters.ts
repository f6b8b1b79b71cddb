import type { IssueSearch } from '../model/issueQueries.ts';

/** What the address says about a list of issues. */
export interface Filters {
  /** `open`, `active`, `closed`, `all` or one status. */
  status: string;
  assignee: string;
  label: string;
  q: string;
  sort: string;
  page: number;
}

export const noFilters: Filters = {
  status: 'open',
  assignee: '',
  label: '',
  q: '',
  sort: '-updatedAt',
  page: 1,
};

export function readFilters(search: URLSearchParams): Filters {
  const page = Number(search.get('page') ?? 1);
  return {
    status: search.get('status') ?? noFilters.status,
    assignee: search.get('assignee') ?? '',
    label: search.get('label') ?? '',
    q: search.get('q') ?? '',
    sort: search.get('sort') ?? noFilters.sort,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** The query of an address; what is as usual is left out. */
export function writeFilters(filters: Filters): string {
  const search = new URLSearchParams();
  for (const name of ['status', 'assignee', 'label', 'q', 'sort', 'page'] as const) {
    const value = String(filters[name]);
    if (value !== '' && value !== String(noFilters[name])) search.set(name, value);
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** What to look for. */
export function toSearch({ status, assignee, label, q, sort, page }: Filters): IssueSearch {
  return {
    status: status === 'all' ? undefined : status,
    assignee: assignee || undefined,
    label: label || undefined,
    q: q.trim() || undefined,
    sort,
    page,
  };
}

/** How many filters narrow the list; order and page do not. */
export function countFilters({ assignee, label, q }: Filters): number {
  return [assignee, label, q.trim()].filter(Boolean).length;
}
