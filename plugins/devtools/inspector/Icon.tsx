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
} as const;

/** A drawing beside a word; it says nothing by itself. */
export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
