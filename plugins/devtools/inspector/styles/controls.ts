/** Buttons, selectable items and fields. */
export const controls = `
.button {
  display: inline-flex; align-items: center; justify-content: center; gap: 5px; min-height: 28px; padding: 0 10px;
  border: 1px solid var(--line-strong); border-radius: 7px; background: var(--surface); color: var(--ink);
  font-weight: 520; font-size: 12px; white-space: nowrap; transition: background .12s, border-color .12s;
}
.button:hover:not(:disabled) { background: var(--hover); }
.button:disabled { opacity: .5; cursor: default; }
.button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.button.primary:hover:not(:disabled) { background: color-mix(in oklab, var(--accent), var(--ink) 14%); }
.button.danger { border-color: transparent; background: var(--red); color: var(--surface); }
.button.danger:hover:not(:disabled) { background: color-mix(in oklab, var(--red), var(--ink) 14%); }
.button.is-offline { border-color: transparent; background: var(--amber-tint); color: var(--amber); }
.button.icon-only { width: 30px; padding: 0; border-color: transparent; background: transparent; color: var(--muted); }
.button.icon-only:hover { background: var(--hover); color: var(--ink); }
.link, .copy { padding: 0; border: 0; background: none; color: var(--accent); }
.link { font: 550 12px/1.6 var(--font); text-decoration: underline; text-underline-offset: 2px; }
.copy { display: inline-flex; align-items: center; gap: 4px; min-height: 24px; padding: 0 5px; border-radius: 5px; font-size: 12px; }
.copy:hover { background: var(--hover); }
.copy .icon { width: 14px; height: 14px; }

.search { position: relative; display: flex; align-items: center; flex: 1 1 110px; min-width: 110px; max-width: 260px; color: var(--muted); }
.search .icon { position: absolute; left: 8px; width: 14px; height: 14px; }
.search input, .select select {
  width: 100%; height: 28px; border: 1px solid var(--line-strong); border-radius: 7px; background: var(--surface); color: var(--ink);
}
.search input { padding: 0 8px 0 28px; }
.search input::placeholder { color: var(--muted); opacity: 1; }
.select select { padding: 0 4px; max-width: 220px; font-size: 12px; }
.sort { display: inline-flex; align-items: center; }

.chips { display: flex; flex-wrap: wrap; gap: 4px; flex: 1 0 100%; }
.chip {
  --tint: var(--quiet-tint); --tone: var(--soft); min-height: 24px; padding: 0 8px; border: 1px solid transparent; border-radius: 12px;
  background: var(--tint); color: var(--tone); font-size: 12px; font-weight: 520; white-space: nowrap;
}
.chip b { font-weight: 700; font-variant-numeric: tabular-nums; }
.chip:hover:not(:disabled), .chip[aria-pressed='true'] { border-color: currentcolor; }
.chip[aria-pressed='true'] { box-shadow: inset 0 0 0 1px currentcolor; }

.tag {
  --tint: var(--quiet-tint); --tone: var(--soft); display: inline-block; flex: none; min-width: 62px; padding: 0 7px; border-radius: 5px;
  background: linear-gradient(var(--tint) 0 0) left no-repeat var(--quiet-tint); color: var(--tone);
  font: 600 11px/19px var(--font); font-variant-numeric: tabular-nums; text-align: center; white-space: nowrap;
  transition: background-size 1s linear;
}
.chip.fresh, .tag.fresh { --tint: var(--green-tint); --tone: var(--green); }
.chip.stale, .tag.stale { --tint: var(--amber-tint); --tone: var(--amber); }
.chip.invalid, .tag.invalid { --tint: var(--violet-tint); --tone: var(--violet); }
.chip.error, .tag.error { --tint: var(--red-tint); --tone: var(--red); }
.chip.loading, .tag.loading { --tint: var(--blue-tint); --tone: var(--blue); }
.chip:disabled { --tint: var(--quiet-tint); --tone: var(--muted); cursor: default; }

@container panel (max-width: 720px) {
  .button { min-height: 36px; padding: 0 12px; }
  .button.icon-only { width: 36px; }
  .chip { min-height: 30px; }
  .chip:disabled { display: none; }
  .copy { min-height: 32px; }
  .search { max-width: none; }
  .search input, .select select { height: 36px; }
  .select select { max-width: 160px; }
}
/* What is smaller makes a phone zoom in. */
@media (max-width: 720px) { .search input, .select select { font-size: 16px; } }
`;
