import { Dialog } from '../ui/Dialog.tsx';

const shortcuts: readonly (readonly [keys: string[], does: string])[] = [
  [['j'], 'Next in the list'],
  [['k'], 'Previous in the list'],
  [['Enter'], 'Open'],
  [['Esc'], 'Back to the list'],
  [['/'], 'Search'],
  [['c'], 'New issue'],
  [['e'], 'Edit the open issue'],
  [['Ctrl', 'Enter'], 'Save, or send the comment'],
  [['o'], 'Open the outbox'],
  [['r'], 'Refresh'],
  [['?'], 'Show this list'],
];

export function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
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
    </Dialog>
  );
}
