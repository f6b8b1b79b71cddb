const PATHS = {
  anchor:
    'M8 5.6V14M5.6 7.6h4.8M2.6 9.4c.2 2.7 2.4 4.6 5.4 4.6s5.2-1.9 5.4-4.6M8 5.6a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6',
  close: 'M4 4l8 8M12 4l-8 8',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.5 10.5 14 14',
  refetch: 'M13.5 8A5.5 5.5 0 1 1 11.7 4M13.5 2v3.2h-3.2',
  offline: 'M2 2l12 12M3 7.2A8 8 0 0 1 6 5.3M8.6 4.8A8 8 0 0 1 13 7.2M5.4 9.8A4 4 0 0 1 8 8.8M8 12.5h.01',
  online: 'M2.6 7.2a8 8 0 0 1 10.8 0M5 9.9a4.5 4.5 0 0 1 6 0M8 12.7h.01',
  arrow: 'M6 4l4 4-4 4',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  up: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  down: 'M8 3v10M4.5 9.5 8 13l3.5-3.5',
  bottom: 'M2.5 3h11v10h-11zM2.5 9.5h11M3 11.2h10',
  right: 'M2.5 3h11v10h-11zM9.5 3v10M11.3 3.5v9',
  system: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 3v10M9.5 3.4v9.2M11 4v8',
  light:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  dark: 'M13 9.6A5.4 5.4 0 0 1 6.4 3 5.4 5.4 0 1 0 13 9.6Z',
} as const;

/** The names of the icons. */
export type IconName = keyof typeof PATHS;

/** An icon beside text; it has no accessible name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
