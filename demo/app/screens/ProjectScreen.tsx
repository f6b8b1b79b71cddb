import { isTemporaryPk } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { useDeferredValue } from 'react';
import { moveInList } from '../keyboard/moveInList.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { Issue } from '../model/Issue.ts';
import { ProjectResource } from '../model/Project.ts';
import { useIssueCounts } from '../model/useIssues.ts';
import type { Filters } from '../routing/filters.ts';
import { Link } from '../routing/Link.tsx';
import { navigate } from '../routing/navigation.ts';
import { issuePath, newIssuePath, projectPath } from '../routing/route.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Icon } from '../ui/Icon.tsx';
import { rowId } from '../ui/IssueRow.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { FilterBar } from './FilterBar.tsx';
import { IssueDetail } from './IssueDetail.tsx';
import { IssueList } from './IssueList.tsx';

const count = new Intl.NumberFormat('en');

/** A project's issues, and beside them (on small screens: instead of them) the one that is open. */
export function ProjectScreen({
  project,
  issue,
  filters,
}: {
  project: string;
  issue: string | undefined;
  filters: Filters;
}) {
  const controller = useController();
  // The page before stays, dimmed, until the next one is there.
  const shown = useDeferredValue(filters);
  const hrefFor = (next: Filters) =>
    issue === undefined ? projectPath(project, next) : issuePath(project, issue, next);

  // The same before and after the server has given a new issue its id, so that no component in it remounts.
  const known = issue === undefined ? undefined : controller.get(Issue, { id: issue });
  const place = known ? controller.keyOf(known) : issue;

  function close() {
    navigate(projectPath(project, filters));
    if (issue !== undefined) document.getElementById(rowId(known?.id ?? issue))?.focus();
  }

  useShortcuts({
    j: () => {
      moveInList(1);
    },
    k: () => {
      moveInList(-1);
    },
    c: () => {
      navigate(newIssuePath(project));
    },
    Escape: () => {
      if (issue !== undefined) close();
    },
  });

  return (
    <div className={issue === undefined ? 'split' : 'split has-detail'}>
      <section className="list-pane" aria-label="Issues">
        <Boundary
          resetKey={project}
          fallback={<header className="list-header" />}
          onError={<header className="list-header" />}
        >
          <ProjectHeader project={project} />
        </Boundary>
        <FilterBar
          filters={filters}
          hrefFor={hrefFor}
          onChange={(next, options) => {
            navigate(hrefFor(next), options);
          }}
        />
        <div className="list-scroll" aria-busy={shown !== filters} key={project}>
          <Boundary resetKey={JSON.stringify(shown)} fallback={<Skeleton kind="rows" rows={14} />}>
            <IssueList project={project} filters={shown} selected={issue} />
          </Boundary>
        </div>
      </section>
      {issue !== undefined && (
        <section className="detail-pane" aria-label={`Issue ${issue}`}>
          <Boundary
            key={place}
            resetKey={issue}
            fallback={<Skeleton kind="detail" rows={8} />}
            onError={isTemporaryPk(issue) ? <NotAccepted onClose={close} /> : undefined}
          >
            <IssueDetail id={issue} onClose={close} />
          </Boundary>
        </section>
      )}
    </div>
  );
}

function NotAccepted({ onClose }: { onClose: () => void }) {
  return (
    <Empty
      title="This issue is not on the server"
      action={
        <button type="button" className="button" onClick={onClose}>
          Back to the list
        </button>
      }
    >
      The server did not accept it, or you discarded it. If it can still be saved, it is in the outbox.
    </Empty>
  );
}

function ProjectHeader({ project: id }: { project: string }) {
  const project = useSuspense(ProjectResource.get, { id });
  return (
    <header className="list-header">
      <title>{`${project.name} · Mooring`}</title>
      <span className="project-mark" style={{ background: project.color }} aria-hidden="true">
        {project.name[0]}
      </span>
      <div className="list-heading">
        <h1>{project.name}</h1>
        <p className="muted">
          <Boundary resetKey={id} fallback="Loading…" onError="Not loaded">
            <OpenOfAll project={id} />
          </Boundary>
          <span className="list-description">{project.description}</span>
        </p>
      </div>
      <Link className="button button-primary" href={newIssuePath(id)} aria-keyshortcuts="c">
        <Icon name="plus" /> <span className="button-text">New issue</span>
      </Link>
    </header>
  );
}

function OpenOfAll({ project }: { project: string }) {
  const { open, total } = useIssueCounts(project);
  return `${count.format(open)} open of ${count.format(total)}`;
}
