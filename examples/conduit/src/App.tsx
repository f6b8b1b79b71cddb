import { AsyncBoundary, DataProvider } from 'holdfast/react';
import { useEffect, useRef, type ReactElement } from 'react';
import { createController } from './data/createController.ts';
import { useScope } from './data/useSession.ts';
import { useRoute, type Route } from './routing.tsx';
import { ArticleScreen } from './screens/ArticleScreen.tsx';
import { EditorScreen } from './screens/EditorScreen.tsx';
import { HomeScreen } from './screens/HomeScreen.tsx';
import { ProfileScreen } from './screens/ProfileScreen.tsx';
import { SettingsScreen } from './screens/SettingsScreen.tsx';
import { SignInScreen } from './screens/SignInScreen.tsx';
import { UnsentScreen } from './screens/UnsentScreen.tsx';
import { Banners } from './ui/Banners.tsx';
import { Failure } from './ui/Failure.tsx';
import { Header } from './ui/Header.tsx';
import { Spinner } from './ui/Spinner.tsx';

/** Everyone has a controller of their own: its queue, its rows and its channel are theirs alone. */
export function App(): ReactElement {
  const scope = useScope();
  return (
    <DataProvider key={scope} create={() => createController(scope)}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Header />
      <Banners />
      <Main />
    </DataProvider>
  );
}

function Main(): ReactElement {
  const route = useRoute();
  const path = route.parts.join('/');
  const main = useRef<HTMLElement>(null);
  const focused = useRef(path);
  // Screen readers announce the new page.
  useEffect(() => {
    if (focused.current !== path) main.current?.focus({ preventScroll: true });
    focused.current = path;
  }, [path]);
  return (
    <main id="content" tabIndex={-1} ref={main}>
      {/* A screen that failed must not keep the next one from being shown. */}
      <AsyncBoundary key={path} fallback={<Spinner />} errorComponent={Failure}>
        {screenOf(route)}
      </AsyncBoundary>
    </main>
  );
}

function screenOf({ parts, search }: Route): ReactElement {
  const [screen, name, tab] = parts;
  switch (screen) {
    case undefined:
      return <HomeScreen tag={search.get('tag')} isFeed={search.has('feed')} />;
    case 'article':
      return <ArticleScreen slug={name ?? ''} />;
    case 'editor':
      return <EditorScreen slug={name} />;
    case 'profile':
      return <ProfileScreen username={name ?? ''} isFavorites={tab === 'favorites'} />;
    case 'settings':
      return <SettingsScreen />;
    case 'login':
    case 'register':
      return <SignInScreen key={screen} isNew={screen === 'register'} />;
    case 'unsent':
      return <UnsentScreen />;
    default:
      return (
        <section className="page">
          <h1>There is no such page</h1>
        </section>
      );
  }
}
