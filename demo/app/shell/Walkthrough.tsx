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

/** Hints for a first visit: what is special about this app shows when you try to break it. */
export function Walkthrough() {
  const [isShown, show] = useWalkthrough();
  if (!isShown) return null;
  return (
    <section className="walkthrough" aria-labelledby="walkthrough-title">
      <h2 id="walkthrough-title">New here? Try to break it</h2>
      <ol>
        <li>
          <strong>Stop the server.</strong> Open an issue, then run the <code>kill</code> command that{' '}
          <code>npm start</code> printed. Keep working: create an issue, write a comment, close another issue.
        </li>
        <li>
          <strong>Reload the page.</strong> Everything is still there. Changes that are not sent yet are
          marked.
        </li>
        <li>
          <strong>Open a second tab.</strong> Each tab shows what you do in the other.
        </li>
        <li>
          <strong>Start the server again.</strong> Your changes are sent once each, in order, and the marks
          disappear.
        </li>
      </ol>
      <p className="walkthrough-foot">
        {isLookedInside ? (
          'The inspector below shows what is stored, fetched and queued.'
        ) : (
          <a href="?devtools">Watch it in the inspector</a>
        )}
      </p>
      <button
        type="button"
        className="icon-button walkthrough-close"
        aria-label="Close these hints"
        title="Close"
        onClick={() => {
          show(false);
        }}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
