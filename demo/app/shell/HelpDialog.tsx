import { useEffect, useRef } from 'react';
import { navigate } from '../routing/navigation.ts';
import { projectsPath } from '../routing/route.ts';
import { useWalkthrough } from './Walkthrough.tsx';

const shortcuts: readonly (readonly [keys: string[], does: string])[] = [
  [['j'], 'Next in the list'],
  [['k'], 'Previous in the list'],
  [['Enter'], 'Open'],
  [['Esc'], 'Back to the list'],
  [['/'], 'Search'],
  [['c'], 'New issue'],
  [['e'], 'Edit the open issue'],
  [['Ctrl', 'Enter'], 'Save, or send the comment'],
  [['o'], 'The outbox'],
  [['r'], 'Ask the server again'],
  [['?'], 'This help'],
];

export function HelpDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [, showWalkthrough] = useWalkthrough();
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" onClose={onClose} aria-labelledby="help-title">
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl className="shortcuts">
        {shortcuts.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button
          type="button"
          className="button"
          onClick={() => {
            showWalkthrough(true);
            navigate(projectsPath);
            onClose();
          }}
        >
          What to try
        </button>
        <button type="button" className="button" onClick={onClose} autoFocus>
          Close
        </button>
      </div>
    </dialog>
  );
}
