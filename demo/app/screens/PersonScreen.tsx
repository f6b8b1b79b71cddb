import { useController, useSuspense } from 'holdfast/react';
import { useDeferredValue } from 'react';
import { moveInList } from '../keyboard/moveInList.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { PersonResource } from '../model/Person.ts';
import { useIssues } from '../model/useIssues.ts';
import { noFilters, toSearch } from '../routing/filters.ts';
import { issuePath, personPath } from '../routing/route.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { Empty } from '../ui/Empty.tsx';
import { IssueRow } from '../ui/IssueRow.tsx';
import { Pages } from '../ui/Pages.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { SyncTime } from '../ui/SyncTime.tsx';

/** A person, and the reverse side of `assignee`: the open issues that name them. */
export function PersonScreen({ person: id, page }: { person: string; page: number }) {
  const person = useSuspense(PersonResource.get, { id });
  const shown = useDeferredValue(page);
  useShortcuts({
    j: () => {
      moveInList(1);
    },
    k: () => {
      moveInList(-1);
    },
    Escape: () => {
      window.history.back();
    },
  });
  return (
    <div className="page page-list">
      <title>{`${person.name} · Mooring`}</title>
      <header className="person-header">
        <Avatar person={person} large />
        <div>
          <h1>{person.name}</h1>
          <p className="muted">
            {person.role} · {person.team} · {person.location}
          </p>
        </div>
      </header>
      <section className="person-issues" aria-label="Assigned issues" aria-busy={shown !== page}>
        <Boundary resetKey={`${id} ${shown}`} fallback={<Skeleton kind="rows" rows={10} />}>
          <AssignedIssues person={id} page={shown} />
        </Boundary>
      </section>
    </div>
  );
}

function AssignedIssues({ person, page }: { person: string; page: number }) {
  const controller = useController();
  const { issues, total } = useIssues(toSearch({ ...noFilters, assignee: person, page }));
  return (
    <>
      <h2>
        Open issues <span className="count">{total}</span>
      </h2>
      {issues.length === 0 && <Empty title="No open issues">No open issue is assigned to this person.</Empty>}
      <ul className="rows" role="list">
        {issues.map((issue) => (
          <IssueRow
            key={controller.keyOf(issue)}
            issue={issue}
            href={issuePath(issue.project.id, issue.id)}
            selected={false}
          />
        ))}
      </ul>
      <footer className="list-footer">
        <SyncTime />
        <Pages page={page} shown={issues.length} total={total} href={(to) => personPath(person, to)} />
      </footer>
    </>
  );
}
