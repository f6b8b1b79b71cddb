import { Controller, streamedState } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { hydrateRoot } from 'react-dom/client';
import { getStory, ToldStory, StoryPage, Teller } from './storyApp.tsx';

/** What the test looks at, and does, in the page. */
const story = {
  trouble: [] as string[],
  /** What the part that comes last has shown, first to last. */
  shown: [] as (string | null)[],
  controller: undefined as Controller | undefined,
  rename: (text: string) => story.controller?.set(ToldStory, { id: 'fast' }, { text }),
  renameTeller: (name: string) => story.controller?.set(Teller, { id: 't' }, { name }),
  isStored: (id: string) => story.controller?.getState().results.get(getStory.key({ id })) !== undefined,
};
export type StoryWindow = Window & { story: typeof story };
(window as unknown as StoryWindow).story = story; // the test's own

new MutationObserver(() => {
  const text = document.querySelector('body > #slow small')?.textContent ?? null;
  if (text !== story.shown.at(-1)) story.shown.push(text);
}).observe(document, { childList: true, characterData: true, subtree: true });

const usesDisk = location.search === '?disk';
story.controller = new Controller({
  initialState: await streamedState(),
  plugins: usesDisk ? [indexedDB({ name: 'stories' })] : [],
});
// So late that disk has been read before anything hydrates.
if (usesDisk) await story.controller.restored;
hydrateRoot(document, <StoryPage controller={story.controller} query={location.search} />, {
  onRecoverableError: (error) => void story.trouble.push(String(error)),
});
