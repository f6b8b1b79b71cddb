/** What a page has found on disk. */
export interface StoredStamps {
  /** The stamp of each cell. */
  readonly cells: Readonly<Record<string, number>>;
  readonly list?: unknown;
  /** What went wrong. */
  readonly problem?: string | undefined;
}

/** Cells that every state changes, so that a state that is half there shows. */
const ALWAYS = 30;
/** Cells that are changed in turn: how many at a time, and how many there are. */
const AT_A_TIME = 20;
const IN_TURN = 600;

/** The cells that the state of this stamp changes, each to that stamp. */
export function pksOf(stamp: number): string[] {
  const first = (stamp * AT_A_TIME) % IN_TURN;
  return [
    ...Array.from({ length: ALWAYS }, (_, place) => `always-${place}`),
    ...Array.from({ length: AT_A_TIME }, (_, place) => `turn-${first + place}`),
  ];
}

/** The stamp of every cell once the states up to this one have been written, one after the other. */
export function cellsAt(stamp: number): Record<string, number> {
  const cells: Record<string, number> = {};
  for (let earlier = Math.max(1, stamp - IN_TURN / AT_A_TIME); earlier <= stamp; earlier++)
    for (const pk of pksOf(earlier)) cells[pk] = earlier;
  return cells;
}
