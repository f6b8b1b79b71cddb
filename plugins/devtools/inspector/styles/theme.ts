/** Colors, fonts, and the defaults for elements. */
export const theme = `
.inspector {
  color-scheme: light dark;
  --ground: light-dark(#f4f7f6, #0d1412); --surface: light-dark(#ffffff, #141d1a);
  --hover: light-dark(#eef3f1, #1c2824); --chosen: light-dark(#e0f0ec, #14372f);
  --line: light-dark(#dde5e2, #25332e); --line-strong: light-dark(#bccac5, #3a4b45);
  --ink: light-dark(#14211d, #e6eeeb); --soft: light-dark(#42524c, #bac8c3); --muted: light-dark(#596963, #95a69f);
  --accent: light-dark(#0b6b5f, #5fd6bf); --on-accent: light-dark(#ffffff, #06231d);
  --green: light-dark(#0b6a43, #5fdd9d); --green-tint: light-dark(#d3f0e0, #16452e);
  --amber: light-dark(#835000, #f4bd5c); --amber-tint: light-dark(#fceecb, #3d2d0d);
  --red: light-dark(#b3202a, #ff9a97); --red-tint: light-dark(#fde4e4, #45191c);
  --violet: light-dark(#6a3fb5, #c4a6ff); --violet-tint: light-dark(#eee6fb, #2f2250);
  --blue: light-dark(#1a57b8, #90bcff); --blue-tint: light-dark(#e0ebfd, #142f58);
  --quiet-tint: light-dark(#eaefed, #212c28);
  --shadow: light-dark(rgb(10 30 25 / 14%), rgb(0 0 0 / 55%));
  --font: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  font: 13px/1.45 var(--font); color: var(--ink); -webkit-font-smoothing: antialiased;
}
.inspector.light { color-scheme: light; }
.inspector.dark { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }
button, input, select { font: inherit; color: inherit; margin: 0; }
button { cursor: pointer; }
h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 4px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon {
  width: 16px; height: 16px; flex: none;
  fill: none; stroke: currentcolor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round;
}
@media (prefers-reduced-motion: reduce) { *, .panel { animation: none !important; transition: none !important; } }
`;
