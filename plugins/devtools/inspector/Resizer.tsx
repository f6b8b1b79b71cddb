import type { KeyboardEvent, PointerEvent } from 'react';

const MIN = 200;
const STEP = 32;

/** The panel's upper edge, to be dragged, or moved by arrow keys. */
export function Resizer({ height, onResize }: { height: number; onResize: (height: number) => void }) {
  const resize = (next: number): void => onResize(Math.round(Math.min(Math.max(next, MIN), max())));
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    const move = ({ clientY }: { readonly clientY: number }): void => resize(innerHeight - clientY);
    const drop = (): void => {
      edge.removeEventListener('pointermove', move);
      edge.removeEventListener('pointerup', drop);
      edge.removeEventListener('pointercancel', drop);
    };
    edge.addEventListener('pointermove', move);
    edge.addEventListener('pointerup', drop);
    edge.addEventListener('pointercancel', drop);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    resize(height + (event.key === 'ArrowUp' ? STEP : -STEP));
  };
  return (
    <div
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the inspector"
      aria-valuenow={height}
      aria-valuemin={MIN}
      aria-valuemax={Math.max(height, max())}
      tabIndex={0}
      className="resizer"
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}

function max(): number {
  return Math.max(MIN, innerHeight - 48);
}
