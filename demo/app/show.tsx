import { DataProvider } from 'holdfast/react';
import { StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { ConnectionContext, type Services } from './data/services.ts';
import { StorageContext } from './data/storage.ts';
import type { Person } from './model/Person.ts';
import { QueueContext } from './outbox/queue.ts';
import { projectsPath } from './routing/route.ts';
import { currentPerson, setPerson, watchPerson } from './session/session.ts';
import { SessionContext } from './session/SessionContext.ts';
import { SignInScreen } from './session/SignInScreen.tsx';
import { toast } from './ui/toasts.ts';

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

export function showSignIn(): void {
  watchPerson(startAgain);
  render(
    <SignInScreen
      onSignIn={(id) => {
        void setPerson(id).then(startAgain);
      }}
    />,
  );
}

/** Shows the app to a signed-in person. */
export function showApp(person: Person, { controller, connection, storage, queue }: Services): void {
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
      await setPerson(person.id);
      show();
      toast('Your data could not be deleted from this device, so you are still signed in. Try again.', {
        tone: 'warning',
      });
      return;
    }
    startAgain();
  }

  // Another tab may have done so since the page was opened.
  if (currentPerson() !== person.id) {
    void leave();
    return;
  }
  watchPerson(() => void leave());
  show();
}
