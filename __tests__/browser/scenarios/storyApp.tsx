import { Endpoint, Entity, type Controller } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { Suspense, useState, type ReactElement } from 'react';

/** The app that a server renders and a page hydrates. */

export class Teller extends Entity {
  id = '';
  name = '';
  static override key = 'Teller';
}

export class ToldStory extends Entity {
  id = '';
  text = '';
  teller = Teller.fromJS();
  static override key = 'Story';
  static override schema = { teller: Teller };
}

/** Where the REST server is; a page has it at its own origin. */
export const rest = { origin: '' };

export const getStory = new Endpoint(
  async ({ id }: { id: string }) => {
    const response = await fetch(`${rest.origin}/api/stories/${id}`);
    if (!response.ok) throw Object.assign(new Error(`No story ${id}`), { status: response.status });
    return (await response.json()) as unknown;
  },
  { name: 'getStory', schema: ToldStory, dataExpiryLength: Infinity },
);

/** A story, the first one once more, and a button that counts: so that one sees whether it is alive. */
function Told({ id }: { id: string }): ReactElement {
  const { text, teller } = useSuspense(getStory, { id });
  const first = useSuspense(getStory, { id: 'fast' });
  const [clicks, setClicks] = useState(0);
  return (
    <section id={id}>
      <p>{text}</p>
      <em>{teller.name}</em>
      <small>{first.text.slice(0, 40)}</small>
      <button onClick={() => setClicks(clicks + 1)}>{clicks} clicks</button>
    </section>
  );
}

interface StoryPageProps {
  readonly controller: Controller;
  /** The query of the address. */
  readonly query: string;
}

export function StoryPage({ controller, query }: StoryPageProps): ReactElement {
  const ids = query.includes('slow-first') ? ['slow', 'fast'] : ['fast', 'slow'];
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>Stories</title>
      </head>
      <body>
        <DataProvider controller={controller}>
          {ids.map((id) => (
            <Suspense key={id} fallback={<i>Waiting for {id}</i>}>
              <Told id={id} />
            </Suspense>
          ))}
        </DataProvider>
      </body>
    </html>
  );
}
