import { useState } from 'react';
import { useFocusOnNavigation } from './keyboard/useFocusOnNavigation.ts';
import { useShortcuts } from './keyboard/useShortcuts.ts';
import { useRoute } from './routing/navigation.ts';
import { OfflineBanner } from './outbox/OfflineBanner.tsx';
import { OutboxDialog } from './outbox/OutboxDialog.tsx';
import type { Route } from './routing/route.ts';
import { MissingScreen } from './screens/MissingScreen.tsx';
import { NewIssueScreen } from './screens/NewIssueScreen.tsx';
import { PeopleScreen } from './screens/PeopleScreen.tsx';
import { PersonScreen } from './screens/PersonScreen.tsx';
import { ProjectScreen } from './screens/ProjectScreen.tsx';
import { ProjectsScreen } from './screens/ProjectsScreen.tsx';
import { HelpDialog } from './shell/HelpDialog.tsx';
import { Sidebar } from './shell/Sidebar.tsx';
import { StorageDialog } from './shell/StorageDialog.tsx';
import { Topbar } from './shell/Topbar.tsx';
import { useBackOnline } from './shell/useBackOnline.ts';
import { Boundary } from './ui/Boundary.tsx';
import { Skeleton } from './ui/Skeleton.tsx';
import { Toasts } from './ui/Toasts.tsx';

export function App() {
  const route = useRoute();
  // The menu is open over one screen: navigating closes it.
  const [menuOver, setMenuOver] = useState<Route>();
  const menuOpen = menuOver === route;
  const [helpOpen, setHelpOpen] = useState(false);
  const [storageOpen, setStorageOpen] = useState(false);
  const [outboxOpen, setOutboxOpen] = useState(false);
  const openOutbox = () => {
    setOutboxOpen(true);
  };
  const openHelp = () => {
    setHelpOpen(true);
  };
  useShortcuts({ '?': openHelp });
  useBackOnline(route);
  useFocusOnNavigation(placeOf(route));

  return (
    <div className={menuOpen ? 'app is-menu-open' : 'app'}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <Sidebar
        route={route}
        onStorage={() => {
          setStorageOpen(true);
        }}
        onHelp={openHelp}
      />
      {menuOpen && (
        <button
          type="button"
          className="scrim"
          aria-label="Close the menu"
          onClick={() => {
            setMenuOver(undefined);
          }}
        />
      )}
      <div className="content">
        <Topbar
          route={route}
          onMenu={() => {
            setMenuOver(route);
          }}
          onOutbox={openOutbox}
        />
        <OfflineBanner onOpen={openOutbox} />
        <main id="main" tabIndex={-1}>
          <Boundary resetKey={placeOf(route)} fallback={<Skeleton kind="cards" rows={6} />}>
            <Screen route={route} />
          </Boundary>
        </main>
      </div>
      {helpOpen && (
        <HelpDialog
          onClose={() => {
            setHelpOpen(false);
          }}
        />
      )}
      {outboxOpen && (
        <OutboxDialog
          onClose={() => {
            setOutboxOpen(false);
          }}
        />
      )}
      {storageOpen && (
        <StorageDialog
          onClose={() => {
            setStorageOpen(false);
          }}
        />
      )}
      <Toasts />
    </div>
  );
}

function Screen({ route }: { route: Route }) {
  switch (route.screen) {
    case 'projects':
      return <ProjectsScreen />;
    case 'project':
      return <ProjectScreen project={route.project} issue={route.issue} filters={route.filters} />;
    case 'new':
      return <NewIssueScreen key={route.project} project={route.project} />;
    case 'people':
      return <PeopleScreen />;
    case 'person':
      return <PersonScreen person={route.person} page={route.page} />;
    case 'missing':
      return <MissingScreen path={route.path} />;
  }
}

/** The subject of the screen, as far as failures differ. */
function placeOf(route: Route): string {
  const about = 'project' in route ? route.project : 'person' in route ? route.person : '';
  return `${route.screen} ${about}`;
}
