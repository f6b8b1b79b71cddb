import { useController } from 'holdfast/react';
import { useIssues } from '../model/useIssues.ts';
import { noFilters, toSearch, type Filters } from '../routing/filters.ts';
import { Link } from '../routing/Link.tsx';
import { issuePath, projectPath } from '../routing/route.ts';
import { Empty } from '../ui/Empty.tsx';
import { IssueRow } from '../ui/IssueRow.tsx';
import { Pages } from '../ui/Pages.tsx';
import { SyncTime } from '../ui/SyncTime.tsx';

/** One page of a project's issues. */
export function IssueList({
  project,
  filters,
  selected,
}: {
  project: string;
  filters: Filters;
  selected: string | undefined;
}) {
  const controller = useController();
  const { page } = filters;
  const { issues, total } = useIssues({ project, ...toSearch(filters) });
  if (issues.length === 0) {
    return (
      <Empty
        title={
          page > 1 ? 'This page is empty' : filters.q ? `No issues match “${filters.q}”` : 'No issues match'
        }
        action={
          <Link className="button" href={projectPath(project, { ...noFilters, status: 'all' })}>
            Show all issues
          </Link>
        }
      >
        {page > 1
          ? 'There are fewer issues than when you opened it.'
          : `Try ${filters.q ? 'other words, ' : ''}another status, or fewer filters.`}
      </Empty>
    );
  }
  return (
    <>
      <ul className="rows" role="list">
        {issues.map((issue) => (
          <IssueRow
            key={controller.keyOf(issue)}
            issue={issue}
            href={issuePath(project, issue.id, filters)}
            selected={issue.id === selected}
          />
        ))}
      </ul>
      <footer className="list-footer">
        <SyncTime />
        <Pages
          page={page}
          shown={issues.length}
          total={total}
          href={(to) => projectPath(project, { ...filters, page: to })}
        />
      </footer>
    </>
  );
}
