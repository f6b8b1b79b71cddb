import { DataProvider } from 'holdfast/react';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { lookInside } from './data/lookInside.ts';
import { preload } from './data/refresh.ts';
import { ConnectionContext, createServices } from './data/services.ts';
import { StorageContext } from './data/storage.ts';
import { keepShell } from './keepShell.ts';
import { QueueContext } from './outbox/queue.ts';
import { currentRoute } from './routing/navigation.ts';
import { projectsPath } from './routing/route.ts';
import { accountOf } from './session/accounts.ts';
import { currentPerson, setPerson, watchPerson } from './session/session.ts';
import { SessionContext } from './session/SessionContext.ts';
import { shareSession } from './session/sharedSession.ts';
import { SignInScreen } from './session/SignInScreen.tsx';
import { toast } from './ui/toasts.ts';
import './styles/index.css';

const element = document.getElementById('root');
if (!element) throw new Error('The page has no element with the id “root”.');
const root = createRoot(element);

function render(content: ReactNode): void {
  root.render(<StrictMode>{content}</StrictMode>);
}

/** Each person gets a page of their own: nothing of the last one's remains in memory. */
function startAgain(): void {
  location.replace(projectsPath);
}

function showSignIn(): void {
  watchPerson(startAgain);
  render(
    <SignInScreen
      onSignIn={(id) => {
        void setPerson(id).then(startAgain);
      }}
    />,
  );
}

async function showApp(id: string): Promise<void> {
  const person = accountOf(id);
  if (person === undefined) throw new Error(`There is no account ${id}.`);
  void shareSession(id);
  const inside = await lookInside();
  const { controller, connection, storage, queue } = createServices(id, inside ? [inside.plugin] : []);
  const session = { person, signOut };

  function show() {
    render(
      <SessionContext value={session}>
        <ConnectionContext value={connection}>
          <StorageContext value={storage}>
            <QueueContext value={queue}>
              <DataProvider controller={controller}>
                <App />
              </DataProvider>
            </QueueContext>
          </StorageContext>
        </ConnectionContext>
      </SessionContext>,
    );
  }

  /** Another tab has signed this person out, or another one in: this tab sends and stores nothing more. */
  async function leave() {
    render(null);
    await controller.stop();
    startAgain();
  }

  async function signOut() {
    // Without mounted reads, nothing is fetched again for this person.
    render(null);
    await setPerson(undefined);
    try {
      await controller.reset({ unsent: 'keep' });
      await controller.stop();
    } catch {
      await setPerson(id);
      show();
      toast('Your data could not be deleted from this device, so you are still signed in. Try again.', {
        tone: 'warning',
      });
      return;
    }
    startAgain();
  }

  watchPerson(() => void leave());
  await preload(controller, currentRoute(), 250);
  show();
  inside?.show(controller);
}

const person = currentPerson();
if (person === undefined) showSignIn();
else await showApp(person);
if (import.meta.env.PROD) void keepShell();
