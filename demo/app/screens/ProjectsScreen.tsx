import { useSuspense } from 'holdfast/react';
import { moveInList } from '../keyboard/moveInList.ts';
import { useShortcuts } from '../keyboard/useShortcuts.ts';
import { ProjectResource, type Project } from '../model/Project.ts';
import { useHasIssues, useIssueCounts } from '../model/useIssues.ts';
import { Link } from '../routing/Link.tsx';
import { projectPath } from '../routing/route.ts';
import { Walkthrough } from '../shell/Walkthrough.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { Empty } from '../ui/Empty.tsx';

const count = new Intl.NumberFormat('en');

export function ProjectsScreen() {
  const projects = useSuspense(ProjectResource.getList);
  useShortcuts({
    j: () => {
      moveInList(1);
    },
    k: () => {
      moveInList(-1);
    },
  });
  return (
    <div className="page">
      <title>Projects · Mooring</title>
      <h1>Projects</h1>
      <Walkthrough />
      {projects.length === 0 && <Empty title="No projects">The server has none yet.</Empty>}
      <ul className="cards" role="list">
        {projects.map((project) => (
          <li key={project.id}>
            <Link className="card" href={projectPath(project.id)} data-row>
              <span className="project-mark" style={{ background: project.color }} aria-hidden="true">
                {project.name[0]}
              </span>
              <span className="card-text">
                <strong>{project.name}</strong>
                <span className="muted">{project.description}</span>
              </span>
              <Boundary resetKey={project.id} fallback={<NoProgress />} onError={<NoProgress />}>
                <Progress project={project} />
              </Boundary>
              {project.lead && (
                <span className="card-lead">
                  <Avatar person={project.lead} />
                  {project.lead.name}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Takes the same room, so that nothing moves when the numbers are there. */
function NoProgress() {
  return (
    <>
      <span className="card-numbers">&nbsp;</span>
      <span className="card-meter" />
    </>
  );
}

function Progress({ project }: { project: Project }) {
  if (useHasIssues(project)) return <Numbers project={project.id} />;
  return (
    <>
      <span className="card-numbers">Loaded when you open it</span>
      <span className="card-meter" />
    </>
  );
}

function Numbers({ project }: { project: string }) {
  const { open, active, total } = useIssueCounts(project);
  const closed = total - open;
  return (
    <>
      <span className="card-numbers">
        <span>
          <b>{count.format(open)}</b> open
        </span>
        <span>
          <b>{count.format(active)}</b> in progress
        </span>
        <span>
          <b>{count.format(closed)}</b> closed
        </span>
      </span>
      <span
        className="card-meter"
        role="img"
        aria-label={`${count.format(closed)} of ${count.format(total)} issues closed`}
      >
        <span style={{ width: `${(100 * closed) / Math.max(1, total)}%` }} />
      </span>
    </>
  );
}
