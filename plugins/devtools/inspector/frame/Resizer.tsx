import type { KeyboardEvent, PointerEvent } from 'react';
import type { Side } from './session.ts';

const STEP = 32;
/** The minimum size of the rest of the page. */
const PAGE = 48;

interface Edge {
  readonly measure: 'Height' | 'Width';
  readonly min: number;
  /** The keys that make it larger and smaller. */
  readonly keys: readonly [larger: string, smaller: string];
  /** The distance of a point from the side of the window with the panel. */
  readonly distance: (at: { readonly clientX: number; readonly clientY: number }) => number;
  /** The maximum distance. */
  readonly room: () => number;
}

const EDGES: Readonly<Record<Side, Edge>> = {
  bottom: {
    measure: 'Height',
    min: 200,
    keys: ['ArrowUp', 'ArrowDown'],
    distance: ({ clientY }) => innerHeight - clientY,
    room: () => innerHeight,
  },
  right: {
    measure: 'Width',
    min: 340,
    keys: ['ArrowLeft', 'ArrowRight'],
    distance: ({ clientX }) => innerWidth - clientX,
    room: () => innerWidth,
  },
};

/** The panel's inner edge, which can be dragged or moved by arrow keys. */
export function Resizer({
  side,
  size,
  onResize,
}: {
  side: Side;
  size: number;
  onResize: (size: number) => void;
}) {
  const { measure, min, keys, distance, room } = EDGES[side];
  const max = Math.max(min, room() - PAGE);
  const resize = (next: number): void => onResize(Math.round(Math.min(Math.max(next, min), max)));
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const edge = event.currentTarget;
    edge.setPointerCapture(event.pointerId);
    const move = (at: globalThis.PointerEvent): void => resize(distance(at));
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
    const step = { [keys[0]]: STEP, [keys[1]]: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    resize(size + step);
  };
  return (
    <div
      role="separator"
      aria-orientation={side === 'bottom' ? 'horizontal' : 'vertical'}
      aria-label={`${measure} of the inspector`}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={Math.max(size, max)}
      tabIndex={0}
      className="resizer"
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
