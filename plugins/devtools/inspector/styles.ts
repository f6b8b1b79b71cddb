/** The inspector's styles. They live in its shadow tree, so they concern nothing else. */
export const styles: string = `
:host { color-scheme: light dark; }
.launcher, .panel {
  --ground: #f4f7f6; --surface: #ffffff; --hover: #eef3f1; --chosen: #e0f0ec; --line: #dde5e2; --line-strong: #bccac5;
  --ink: #14211d; --soft: #42524c; --muted: #596963; --accent: #0b6b5f; --on-accent: #ffffff;
  --green: #0b6a43; --green-tint: #dcf3e6; --amber: #835000; --amber-tint: #fceecb; --red: #b3202a; --red-tint: #fde4e4;
  --violet: #6a3fb5; --violet-tint: #eee6fb; --blue: #1a57b8; --blue-tint: #e0ebfd; --quiet-tint: #e9eeec;
  --shadow: 0 -8px 40px rgb(10 30 25 / 14%), 0 -1px 0 var(--line-strong);
  --font: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  font: 13px/1.45 var(--font); color: var(--ink); -webkit-font-smoothing: antialiased;
}
@media (prefers-color-scheme: dark) {
  .launcher, .panel {
    --ground: #0d1412; --surface: #141d1a; --hover: #1c2824; --chosen: #14372f; --line: #25332e; --line-strong: #3a4b45;
    --ink: #e6eeeb; --soft: #bac8c3; --muted: #95a69f; --accent: #5fd6bf; --on-accent: #06231d;
    --green: #5fdd9d; --green-tint: #123826; --amber: #f4bd5c; --amber-tint: #3d2d0d; --red: #ff9a97; --red-tint: #45191c;
    --violet: #c4a6ff; --violet-tint: #2f2250; --blue: #90bcff; --blue-tint: #142f58; --quiet-tint: #24302c;
    --shadow: 0 -8px 40px rgb(0 0 0 / 55%), 0 -1px 0 var(--line-strong);
  }
}
*, *::before, *::after { box-sizing: border-box; }
button, input, select { font: inherit; color: inherit; margin: 0; }
button { cursor: pointer; }
h2, h3, p, ul, ol, dl, dd { margin: 0; padding: 0; }
ul, ol { list-style: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 4px; }
.panel:focus-visible { outline: none; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.icon { width: 16px; height: 16px; flex: none; fill: none; stroke: currentcolor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }

.launcher {
  position: fixed; z-index: 2147483000; display: grid; place-items: center; width: 44px; height: 44px; padding: 0;
  border: 0; border-radius: 14px; background: #0b6b5f; color: #ffffff; opacity: .92;
  box-shadow: 0 4px 14px rgb(6 40 34 / 30%), inset 0 0 0 1px rgb(255 255 255 / 16%); transition: transform .15s, opacity .15s;
}
.launcher:hover { transform: translateY(-2px); opacity: 1; }
.launcher:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 14px; }
.launcher .icon { width: 24px; height: 24px; }
.bottom-right { right: 16px; bottom: max(16px, env(safe-area-inset-bottom)); } .bottom-left { left: 16px; bottom: max(16px, env(safe-area-inset-bottom)); }
.top-right { right: 16px; top: 16px; } .top-left { left: 16px; top: 16px; }

.panel {
  position: fixed; z-index: 2147483000; inset: auto 0 0; display: flex; flex-direction: column; min-height: 200px; max-height: calc(100dvh - 32px);
  background: var(--surface); box-shadow: var(--shadow); animation: rise .16s ease-out;
}
@keyframes rise { from { transform: translateY(16px); opacity: 0; } }
.resizer { position: absolute; z-index: 2; top: -4px; left: 0; right: 0; height: 9px; cursor: row-resize; touch-action: none; }
.resizer::after { content: ''; position: absolute; top: 3px; left: 0; right: 0; height: 3px; background: transparent; transition: background .15s; }
.resizer:hover::after, .resizer:focus-visible::after { background: var(--accent); }
.resizer:focus-visible { outline: none; }

.header { display: flex; align-items: stretch; gap: 12px; min-height: 42px; padding: 0 8px 0 14px; border-bottom: 1px solid var(--line); background: var(--ground); flex: none; }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 650; letter-spacing: -.01em; }
.logo { display: grid; place-items: center; width: 24px; height: 24px; border-radius: 7px; background: #0b6b5f; color: #ffffff; }
.tabs { display: flex; flex: 1; min-width: 0; gap: 2px; overflow-x: auto; scrollbar-width: none; }
.tabs button {
  display: inline-flex; align-items: center; gap: 6px; flex: none; padding: 0 10px; border: 0; background: none; color: var(--muted);
  font-weight: 530; box-shadow: inset 0 -2px 0 transparent; transition: color .12s, box-shadow .12s;
}
.tabs button:hover { color: var(--ink); }
.tabs button[aria-selected='true'] { color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); }
.count { min-width: 18px; padding: 0 5px; border-radius: 9px; background: var(--quiet-tint); color: var(--soft); font: 600 11px/17px var(--font); font-variant-numeric: tabular-nums; text-align: center; }
.actions { display: flex; align-items: center; gap: 6px; flex: none; }
.button {
  display: inline-flex; align-items: center; justify-content: center; gap: 5px; min-height: 28px; padding: 0 10px; border: 1px solid var(--line-strong); border-radius: 7px;
  background: var(--surface); color: var(--ink); font-weight: 520; font-size: 12px; white-space: nowrap; transition: background .12s, border-color .12s;
}
.button:hover:not(:disabled) { background: var(--hover); }
.button:disabled { opacity: .5; cursor: default; }
.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.button.primary:hover:not(:disabled) { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
.button.danger { border-color: transparent; background: var(--red); color: var(--surface); }
.button.is-offline { border-color: transparent; background: var(--amber-tint); color: var(--amber); }
.button.icon-only { width: 30px; padding: 0; border-color: transparent; background: transparent; color: var(--muted); }
.link { padding: 0; border: 0; background: none; color: var(--accent); font-weight: 550; text-decoration: underline; text-underline-offset: 2px; }
.hint { padding: 8px 14px; border-bottom: 1px solid var(--line); background: var(--amber-tint); color: var(--amber); flex: none; }

.tabpanel { display: flex; flex: 1; min-height: 0; }
.split { display: grid; flex: 1; grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr); min-height: 0; min-width: 0; }
.master { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
.detail { min-height: 0; overflow: auto; border-left: 1px solid var(--line); background: var(--ground); }
.scroll { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; }
.toolbar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 12px; border-bottom: 1px solid var(--line); flex: none; }
.summary { color: var(--muted); } .bulk { display: flex; gap: 6px; margin-left: auto; }
.search { position: relative; display: flex; align-items: center; flex: 1 1 150px; max-width: 260px; min-width: 110px; color: var(--muted); }
.search .icon { position: absolute; left: 8px; width: 14px; height: 14px; }
.search input, .select select { width: 100%; height: 28px; border: 1px solid var(--line-strong); border-radius: 7px; background: var(--surface); color: var(--ink); }
.search input { padding: 0 8px 0 28px; } .search input::placeholder { color: var(--muted); opacity: 1; }
.select select { padding: 0 6px; max-width: 220px; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; }
.chip { --tint: var(--quiet-tint); --tone: var(--soft); min-height: 24px; padding: 0 8px; border: 1px solid transparent; border-radius: 12px; background: var(--tint); color: var(--tone); font-size: 12px; font-weight: 520; white-space: nowrap; }
.chip b { font-weight: 700; font-variant-numeric: tabular-nums; }
.chip[aria-pressed='true'] { border-color: currentcolor; }
.chip.fresh, .tag.fresh { --tint: var(--green-tint); --tone: var(--green); }
.chip.stale, .tag.stale { --tint: var(--amber-tint); --tone: var(--amber); }
.chip.invalid, .tag.invalid { --tint: var(--violet-tint); --tone: var(--violet); }
.chip.error, .tag.error { --tint: var(--red-tint); --tone: var(--red); }
.tag.loading { --tint: var(--blue-tint); --tone: var(--blue); } .tag.quiet { --tint: var(--quiet-tint); --tone: var(--soft); }
.tag { display: inline-block; min-width: 62px; padding: 0 7px; border-radius: 5px; background: var(--tint); color: var(--tone); font: 600 11px/19px var(--font); font-variant-numeric: tabular-nums; text-align: center; white-space: nowrap; }

.item {
  display: flex; align-items: center; gap: 10px; width: 100%; min-height: 33px; padding: 5px 12px; border: 0; border-bottom: 1px solid var(--line);
  background: none; text-align: left; content-visibility: auto; contain-intrinsic-height: auto 33px;
}
.item:hover { background: var(--hover); }
.item[aria-pressed='true'] { background: var(--chosen); box-shadow: inset 3px 0 0 var(--accent); }
.key { font: 12px/1.4 var(--mono); overflow-wrap: anywhere; }
.key b { color: var(--muted); font-weight: 600; font-size: 11px; }
.item .key { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.item .key:has(+ .title) { flex: 0 1 auto; max-width: 45%; color: var(--muted); }
.title { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.time, .delta { flex: none; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.readers { display: inline-flex; align-items: center; gap: 3px; flex: none; color: var(--accent); font: 600 12px/1 var(--font); font-variant-numeric: tabular-nums; }
.item > .tag { flex: none; }
.freshness { display: grid; flex: none; gap: 3px; width: 62px; }
.bar { display: block; height: 2px; border-radius: 1px; background: var(--line); overflow: hidden; }
.bar span { display: block; height: 100%; background: var(--green); transition: width 1s linear; }
.more, .placeholder { padding: 12px; color: var(--muted); }
.placeholder { width: 100%; padding: 40px 20px; text-align: center; }

.about { display: grid; gap: 12px; padding: 12px 16px 24px; }
.about h2, .card h2 { font-size: 14px; font-weight: 620; overflow-wrap: anywhere; } .about h2 .key { font-size: 13px; }
.about h3 { margin-bottom: 4px; color: var(--muted); font-size: 12px; font-weight: 560; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.back { display: none; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 8px 16px; }
.facts dt { color: var(--muted); font-size: 11.5px; } .facts dd { font-weight: 530; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.error-text { padding: 8px 10px; border-radius: 7px; background: var(--red-tint); color: var(--red); overflow-wrap: anywhere; }
.leaf, .twist { font: 12px/1.65 var(--mono); } .leaf { padding-left: 16px; overflow-wrap: anywhere; white-space: pre-wrap; }
.twist { display: inline-flex; align-items: center; padding: 0 4px 0 0; border: 0; background: none; text-align: left; }
.twist:hover { background: var(--hover); border-radius: 4px; }
.twist .icon { width: 12px; height: 12px; margin: 0 2px; color: var(--muted); transition: transform .12s; } .twist[aria-expanded='true'] .icon { transform: rotate(90deg); }
.twist .punctuation { white-space: pre; }
.members { margin-left: 7px; padding-left: 9px; border-left: 1px solid var(--line); } .members .link { padding-left: 16px; }
.name { color: var(--ink); font-weight: 560; } .string { color: var(--green); } .number { color: var(--blue); } .nothing { color: var(--violet); } .punctuation { color: var(--muted); }
.changes { display: grid; gap: 14px; } .changes h3 { color: var(--ink); overflow-wrap: anywhere; }
.differences { display: grid; gap: 2px; font: 12px/1.6 var(--mono); } .differences > div { display: flex; gap: 8px; }
.differences dt { flex: none; font-weight: 560; } .differences dd { min-width: 0; overflow-wrap: anywhere; }
del, ins { text-decoration: none; border-radius: 3px; padding: 1px 3px; } del { background: var(--red-tint); } ins { background: var(--green-tint); }
del *, ins * { color: var(--ink); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr)); gap: 12px; align-items: start; padding: 12px; background: var(--ground); }
.card { display: grid; gap: 10px; justify-items: start; padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.card h2 { display: flex; align-items: center; gap: 8px; } .card .facts { width: 100%; }
progress { width: 100%; height: 6px; accent-color: var(--accent); }
.plugins { display: flex; flex-wrap: wrap; gap: 6px; } .plugins code { padding: 2px 8px; border-radius: 5px; background: var(--quiet-tint); font: 12px/1.6 var(--mono); }

@media (max-width: 720px) {
  .wide { display: none; }
  .panel { min-height: min(76dvh, 100dvh); }
  .header { flex-wrap: wrap; gap: 0 8px; padding: 6px 8px 0 12px; }
  .brand { order: 1; flex: 1; } .actions { order: 2; } .tabs { order: 3; flex: 0 0 calc(100% + 20px); margin: 4px -8px 0 -12px; padding: 0 6px; }
  .tabs button { min-height: 40px; padding: 0 5px; flex: 1 0 auto; justify-content: center; } .tabs .count { display: none; }
  .button { min-height: 36px; padding: 0 12px; } .button.icon-only { width: 40px; } .chip { min-height: 30px; } .search input, .select select { height: 36px; font-size: 16px; }
  .bulk { margin-left: 0; } .search { max-width: none; flex-basis: 100%; order: -1; } .select { flex: 1; } .select select { max-width: none; }
  .item { min-height: 44px; }
  .split { grid-template-columns: minmax(0, 1fr); } .split .detail { display: none; border-left: 0; }
  .split.has-detail .master { display: none; } .split.has-detail .detail { display: block; } .back { display: inline-flex; margin: 10px 12px 0; }
}
@media (prefers-reduced-motion: reduce) { *, .panel { animation: none !important; transition: none !important; } }
`;
