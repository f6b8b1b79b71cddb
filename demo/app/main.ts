import { lookInside } from './data/lookInside.ts';
import { preload } from './data/refresh.ts';
import { createServices } from './data/services.ts';
import { keepShell } from './keepShell.ts';
import { currentRoute } from './routing/navigation.ts';
import { accountOf } from './session/accounts.ts';
import { currentPerson } from './session/session.ts';
import { shareSession } from './session/sharedSession.ts';
import './styles/index.css';

/** Loads React and the screens, which the page names as well (vite.config.ts): nothing before needs them. */
const loadScreens = () => import('./show.tsx');

/** Opens the database and reads the data of the first screen while the screens are loaded and evaluated. */
async function start(id: string): Promise<void> {
  const person = accountOf(id);
  if (person === undefined) throw new Error(`There is no account ${id}.`);
  void shareSession(id);
  const inside = await lookInside();
  const services = createServices(id, inside ? [inside.plugin] : []);
  const reading = preload(services.controller, currentRoute(), 250);
  const { showApp } = await loadScreens();
  await reading;
  showApp(person, services);
  inside?.show(services.controller);
}

const person = currentPerson();
if (person === undefined) (await loadScreens()).showSignIn();
else await start(person);
if (import.meta.env.PROD) void keepShell();
