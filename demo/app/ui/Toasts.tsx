import { Icon } from './Icon.tsx';
import { closeToast, useToasts } from './toasts.ts';

export function Toasts() {
  const toasts = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone, action }) => (
        <div key={id} className={`toast toast-${tone}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className="toast-action"
              onClick={() => {
                closeToast(id);
                action.act();
              }}
            >
              {action.name}
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss"
            onClick={() => {
              closeToast(id);
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
