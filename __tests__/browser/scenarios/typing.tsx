import { Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Controller, Endpoint, Entity } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { DataProvider, useSuspense } from 'holdfast/react';

/** What the test asks of the page. */
export interface TypingPage {
  /** Stores this many rows on disk. */
  fill(rows: number): Promise<void>;
  /** Resolves when all rows are in memory again. */
  restored(): Promise<number>;
  /** For each letter typed, whether rows were still being read, and how long it took to be on screen, in ms. */
  readonly letters: { readonly isRestoring: boolean; readonly took: number }[];
  /** The tasks of 50 ms and more since the page began, in ms. */
  readonly longTasks: number[];
}

class RowWithBody extends Entity {
  id = '';
  title = '';
  body = '';
  static override key = 'Row';
}
const shown = { sideEffect: false, dataExpiryLength: Infinity } as const;
const getAll = new Endpoint(() => Promise.reject(new Error('offline')), {
  ...shown,
  name: 'getAll',
  schema: [RowWithBody],
});
const getFirst = new Endpoint(() => Promise.reject(new Error('offline')), {
  ...shown,
  name: 'getFirst',
  schema: [RowWithBody],
});

let isRestoring = false;
let begun: { readonly controller: Controller; readonly restored: Promise<void> } | undefined;

/** Restores from disk. The test starts it right before it types, so that letters arrive during the restore. */
function begin(): NonNullable<typeof begun> {
  if (begun === undefined) {
    const controller = new Controller({ plugins: [indexedDB({ name: 'typing' })] });
    isRestoring = true;
    const restored = controller.restored.then(() => {
      isRestoring = false;
    });
    begun = { controller, restored };
  }
  return begun;
}

const page: TypingPage = {
  async fill(rows) {
    const all = Array.from({ length: rows }, (_, index) => ({
      id: `row-${index}`,
      title: `Title of row ${index}`,
      body: `The text of row ${index}, `.repeat(8),
    }));
    const { controller } = begin();
    controller.setResponse(getAll, all);
    controller.setResponse(getFirst, all.slice(0, 100));
    await controller.flush();
  },
  async restored() {
    const { controller, restored } = begin();
    await restored;
    return controller.getState().tables['Row']?.size ?? 0;
  },
  letters: [],
  longTasks: [],
};
(window as unknown as { page: TypingPage }).page = page; // for the test to find
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) page.longTasks.push(duration);
}).observe({ type: 'longtask', buffered: true });

function Search({ onFocus }: { readonly onFocus: () => void }) {
  const [text, setText] = useState('');
  const type = (value: string, typedAt: number): void => {
    const letter = { isRestoring, took: 0 };
    setText(value);
    // The second frame begins after the first has been painted.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => page.letters.push({ ...letter, took: performance.now() - typedAt })),
    );
  };
  return (
    <input value={text} onFocus={onFocus} onChange={(event) => type(event.target.value, event.timeStamp)} />
  );
}

function First() {
  return useSuspense(getFirst).map((row) => <p key={row.id}>{row.title}</p>);
}

function App() {
  const [controller, setController] = useState<Controller>();
  return (
    <>
      <Search onFocus={() => setController(begin().controller)} />
      {controller && (
        <DataProvider controller={controller}>
          <Suspense fallback="…">
            <First />
          </Suspense>
        </DataProvider>
      )}
    </>
  );
}

createRoot(document.getElementById('root')!).render(<App />);
