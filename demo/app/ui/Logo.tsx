/** An anchor, white on the colour of the app. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--accent-solid)" />
      <g fill="none" stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="16" cy="8.6" r="2.7" />
        <path d="M16 11.300V25M11.5 15h9M7.5 18.500c.4 3.9 3.8 6.5 8.5 6.500s8.1-2.6 8.5-6.5" />
      </g>
    </svg>
  );
}
