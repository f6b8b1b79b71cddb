import { useSuspense } from 'holdfast/react';
import { isLookedInside } from '../data/lookInside.ts';
import { useStorageStatus } from '../data/storage.ts';
import { ProjectResource, type Project } from '../model/Project.ts';
import { useHasIssues, useIssueCounts } from '../model/useIssues.ts';
import { Link } from '../routing/Link.tsx';
import { peoplePath, projectPath, projectsPath, type Route } from '../routing/route.ts';
import { useSession } from '../session/SessionContext.ts';
import { SignOutButton } from '../session/SignOutButton.tsx';
import { useTheme } from '../settings/useTheme.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { useWalkthrough } from './Walkthrough.tsx';

const count = new Intl.NumberFormat('en');

const themes = {
  system: { name: 'Theme: system', icon: 'monitor' },
  light: { name: 'Theme: light', icon: 'sun' },
  dark: { name: 'Theme: dark', icon: 'moon' },
} as const;

export function Sidebar({
  route,
  onStorage,
  onHelp,
}: {
  route: Route;
  onStorage: () => void;
  onHelp: () => void;
}) {
  const [theme, nextTheme] = useTheme();
  const [, showWalkthrough] = useWalkthrough();
  return (
    <aside className="sidebar" aria-label="Sidebar">
      <Link className="brand" href={projectsPath}>
        <Logo /> Mooring
      </Link>
      <nav aria-label="Projects and people">
        <Link
          className="nav-item"
          href={projectsPath}
          aria-current={route.screen === 'projects' ? 'page' : undefined}
        >
          <Icon name="projects" /> All projects
        </Link>
        <Link
          className="nav-item"
          href={peoplePath}
          aria-current={route.screen === 'people' || route.screen === 'person' ? 'page' : undefined}
        >
          <Icon name="people" /> People
        </Link>
        <h2 className="nav-heading">Projects</h2>
        <Boundary
          resetKey=""
          fallback={<Skeleton kind="comments" rows={6} />}
          onError={<p className="nav-note">Not loaded yet</p>}
        >
          <ProjectLinks current={'project' in route ? route.project : undefined} />
        </Boundary>
      </nav>
      <div className="sidebar-foot">
        <StorageButton onOpen={onStorage} />
        {!isLookedInside && (
          // Not a link of the app's: the page reloads, with the panel.
          <a className="nav-item" href="?devtools">
            <Icon name="inspect" /> Inspector
          </a>
        )}
        <Link
          className="nav-item"
          href={projectsPath}
          onClick={() => {
            showWalkthrough(true);
          }}
        >
          <Icon name="bulb" /> What to try
        </Link>
        <button type="button" className="nav-item nav-button" onClick={nextTheme}>
          <Icon name={themes[theme].icon} /> {themes[theme].name}
        </button>
        <button
          type="button"
          className="nav-item nav-button keyboard-help"
          onClick={onHelp}
          aria-haspopup="dialog"
          aria-keyshortcuts="?"
        >
          <Icon name="keyboard" /> Keyboard shortcuts
        </button>
        <Me />
      </div>
    </aside>
  );
}

function ProjectLinks({ current }: { current: string | undefined }) {
  const projects = useSuspense(ProjectResource.getList);
  return (
    <ul role="list">
      {projects.map((project) => {
        const { id, name, color } = project;
        return (
          <li key={id}>
            <Link
              className="nav-item"
              href={projectPath(id)}
              aria-current={id === current ? 'page' : undefined}
            >
              <span className="nav-mark" style={{ background: color }} aria-hidden="true" />
              {name}
              <Boundary resetKey={id} fallback={null} onError={null}>
                <OpenIssues project={project} />
              </Boundary>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function OpenIssues({ project }: { project: Project }) {
  return useHasIssues(project) && <OpenCount project={project.id} />;
}

function OpenCount({ project }: { project: string }) {
  const { open } = useIssueCounts(project);
  return (
    <span className="nav-count">
      {count.format(open)}
      <span className="visually-hidden"> open issues</span>
    </span>
  );
}

function StorageButton({ onOpen }: { onOpen: () => void }) {
  const { state, rows } = useStorageStatus();
  return (
    <button type="button" className="nav-item nav-button" onClick={onOpen} aria-haspopup="dialog">
      <Icon name="disk" /> On this device
      <span className="nav-count">
        {state === 'degraded' ? 'not saved' : count.format(rows)}
        <span className="visually-hidden">{state === 'degraded' ? '' : ' records'}</span>
      </span>
    </button>
  );
}

function Me() {
  const { person } = useSession();
  return (
    <div className="me">
      <p className="me-name">
        <Avatar person={person} />
        <span>
          <span className="visually-hidden">Signed in as </span>
          {person.name}
        </span>
      </p>
      <SignOutButton />
    </div>
  );
}
