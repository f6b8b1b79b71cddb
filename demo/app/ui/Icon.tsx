import type { ReactNode } from 'react';

/** Drawn on a 16 × 16 grid with the text's colour. */
const shapes = {
  alert: <path d="M8 2.500 14 13H2zM8 6.500v3M8 11.200v.1" />,
  arrowLeft: <path d="M9.5 3.5 5 8l4.5 4.5M5.5 8H13" />,
  bulb: (
    <path d="M6 11.500h4M6.500 13.500h3M8 2.500a4 4 0 0 0-2.200 7.300c.3.200.5.500.5.900v.800h3.400v-.800c0-.4.200-.7.500-.9A4 4 0 0 0 8 2.500z" />
  ),
  check: <path d="m3.5 8.5 3 3 6-7" />,
  chevronDown: <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />,
  chevronLeft: <path d="M9.5 4.5 6 8l3.5 3.5" />,
  chevronRight: <path d="M6.5 4.5 10 8l-3.5 3.5" />,
  clock: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 5v3.200l2.2 1.300" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  comment: (
    <path d="M2.5 4.5a1.5 1.5 0 0 1 1.5-1.5h8a1.5 1.5 0 0 1 1.5 1.5v5A1.5 1.5 0 0 1 12 11H7.5L4.5 13.5V11H4a1.5 1.5 0 0 1-1.5-1.5z" />
  ),
  disk: (
    <path d="M3 4.500c0-1.100 2.200-2 5-2s5 .9 5 2-2.200 2-5 2-5-.9-5-2zM3 4.500v7c0 1.100 2.200 2 5 2s5-.9 5-2v-7M3 8c0 1.100 2.200 2 5 2s5-.9 5-2" />
  ),
  edit: <path d="m3 13 .6-2.8 7.1-7.1a1.2 1.2 0 0 1 1.7 0l.5.5a1.2 1.2 0 0 1 0 1.7l-7.1 7.1zM9.5 4.5l2 2" />,
  filter: <path d="M2.500 4.500h11M4.500 8h7M6.500 11.500h3" />,
  inspect: <path d="m5.500 5-3 3 3 3M10.500 5l3 3-3 3" />,
  keyboard: (
    <path d="M2 5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1zM4.5 6.5h.01M7 6.5h.01M9.5 6.5h.01M11.5 6.5h.01M5 9.5h6" />
  ),
  menu: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  monitor: <path d="M2.5 3.5h11v7.500h-11zM6 13.500h4" />,
  moon: <path d="M13 9.300A5.5 5.5 0 0 1 6.7 3a5.5 5.5 0 1 0 6.3 6.300z" />,
  offline: (
    <path d="M2 2l12 12M4.300 6.700A6.500 6.500 0 0 1 6.500 5.400M9 5.100a6.500 6.500 0 0 1 3 1.700M6.200 8.900a3.600 3.600 0 0 1 1.500-.7M8 12h.01M1.800 4.600A9.500 9.500 0 0 1 3.600 3.400M6.500 2.700a9.500 9.500 0 0 1 7.700 1.900" />
  ),
  outbox: (
    <path d="M2.500 9.500v3a1 1 0 0 0 1 1h9a1 1 0 0 0 1-1v-3h-3l-1 1.500h-3l-1-1.500zM8 8V2.500M5.500 5 8 2.500 10.500 5" />
  ),
  people: (
    <path d="M6 7.500a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.600zM1.8 13c.3-2.3 1.9-3.7 4.2-3.700s3.9 1.4 4.2 3.700M10.8 7.400a2.1 2.1 0 1 0-.9-4M11.8 9.500c1.4.5 2.2 1.7 2.4 3.5" />
  ),
  plus: <path d="M8 3.500v9M3.5 8h9" />,
  projects: (
    <path d="M2.500 3.500h4.500V7H2.500zM9 3.500h4.500V7H9zM2.500 9h4.500v3.500H2.500zM9 9h4.500v3.500H9z" />
  ),
  refresh: <path d="M13 8a5 5 0 1 1-1.5-3.600M13 2.500v2.700h-2.7" />,
  search: <path d="M7 11.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 13.5 13.5" />,
  send: <path d="M8 13V4M4.500 7 8 3.500 11.500 7" />,
  signOut: <path d="M6.500 2.500h-3a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h3M10 5l3 3-3 3M13 8H6" />,
  sun: (
    <path d="M8 10.700a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.400zM8 1.800v1.400M8 12.800v1.400M1.8 8h1.400M12.8 8h1.400M3.6 3.600l1 1M11.4 11.400l1 1M12.4 3.600l-1 1M4.6 11.400l-1 1" />
  ),
  trash: <path d="M3 4.500h10M6.5 4.500v-1h3v1M4.5 4.500l.5 8.500h6l.5-8.5" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof shapes;

/** Decoration: adjacent text or the label of its button states its meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      {shapes[name]}
    </svg>
  );
}
