import { isLookedInside } from '../data/lookInside.ts';
import { useStored } from '../settings/stored.ts';
import { Icon } from '../ui/Icon.tsx';

/** Whether to show the walkthrough until the user closes it, and how to change that. */
export function useWalkthrough(): [isShown: boolean, show: (isShown: boolean) => void] {
  const [state, store] = useStored('walkthrough', 'shown');
  return [
    state === 'shown',
    (isShown) => {
      store(isShown ? null : 'done');
    },
  ];
}

/** For who opens the demo first: what is special about it shows only when one tries to break it. */
export function Walkthrough() {
  const [isShown, show] = useWalkthrough();
  if (!isShown) return null;
  return (
    <aside className="walkthrough" aria-labelledby="walkthrough-title">
      <h2 id="walkthrough-title">New here? Try to break it</h2>
      <ol>
        <li>
          <strong>Kill the network.</strong> Open a project and an issue, then stop the REST server, as{' '}
          <code>npm start</code> has printed. Go on: create an issue, comment, close another.
        </li>
        <li>
          <strong>Reload.</strong> All of it is still there, and what waits for the server is marked.
        </li>
        <li>
          <strong>Open a second tab</strong> beside this one. Each shows what you do in the other.
        </li>
        <li>
          <strong>Start the server again.</strong> What waited is sent once, in order, and the marks go.
        </li>
      </ol>
      <p className="walkthrough-foot">
        {isLookedInside ? (
          'The panel below shows what is stored, fetched and queued.'
        ) : (
          <a href="?devtools">Open the inspector and watch</a>
        )}
      </p>
      <button
        type="button"
        className="icon-button walkthrough-close"
        aria-label="Close these hints"
        onClick={() => {
          show(false);
        }}
      >
        <Icon name="close" />
      </button>
    </aside>
  );
}
