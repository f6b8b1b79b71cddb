/** A list beside the details of its selected item. */
export const lists = `
.tabpanel { display: flex; flex: 1; min-height: 0; }
.split { display: grid; flex: 1; grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr); min-height: 0; min-width: 0; }
.master { display: flex; flex-direction: column; min-height: 0; min-width: 0; background: var(--surface); }
.detail { min-height: 0; overflow: auto; border-left: 1px solid var(--line); background: var(--ground); }
.scroll { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; }
.toolbar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 7px 12px; border-bottom: 1px solid var(--line); flex: none; }
.summary { color: var(--muted); font-size: 12px; }
.bulk { display: flex; gap: 6px; margin-left: auto; }
.bulk .button { padding: 0 8px; }

.item {
  display: flex; align-items: center; gap: 10px; width: 100%; min-height: 29px; padding: 4px 12px; border: 0; border-bottom: 1px solid var(--line);
  background: none; text-align: left; content-visibility: auto; contain-intrinsic-height: auto 29px;
}
.item > .tag { min-width: 77px; }
.item:hover { background: var(--hover); }
.item[aria-pressed='true'] { background: var(--chosen); box-shadow: inset 3px 0 0 var(--accent); }
.key { font: 12px/1.4 var(--mono); overflow-wrap: anywhere; }
.key b { color: var(--muted); font-weight: 600; font-size: 11px; }
.item .key { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.item .key:has(+ .title) { flex: 0 1 auto; max-width: 45%; color: var(--muted); }
.title { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.time, .delta { flex: none; color: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.delta { display: inline-flex; gap: 8px; }
.sign { color: var(--soft); font-weight: 600; }
.sign.fresh { color: var(--green); }
.sign.stale { color: var(--amber); }
.sign.error { color: var(--red); }
.readers { display: inline-flex; align-items: center; gap: 3px; flex: none; color: var(--accent); font: 600 12px/1 var(--font); font-variant-numeric: tabular-nums; }
.more, .placeholder { padding: 12px; color: var(--muted); }
.placeholder { width: 100%; padding: 40px 20px; text-align: center; }
.back { display: none; margin: 10px 12px 0; }

@container panel (max-width: 720px) {
  .item { min-height: 44px; }
  .bulk { margin-left: 0; }
  /* Both in one place, so that the list keeps where it was scrolled to. */
  .split { grid-template-columns: minmax(0, 1fr); }
  .master, .detail { grid-area: 1 / 1; }
  .detail { display: none; border-left: 0; }
  .has-detail .master { visibility: hidden; }
  .has-detail .detail { display: block; }
  .back { display: inline-flex; }
}
`;
