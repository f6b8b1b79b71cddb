/** The button in the corner, the panel, its edge and its bar. */
export const frame = `
.launcher {
  position: fixed; z-index: 2147483000; display: grid; place-items: center; width: 44px; height: 44px; padding: 0;
  border: 0; border-radius: 14px; background: #0b6b5f; color: #ffffff; opacity: .92;
  box-shadow: 0 4px 14px rgb(6 40 34 / 30%), inset 0 0 0 1px rgb(255 255 255 / 16%); transition: transform .15s, opacity .15s;
}
.launcher:hover { transform: translateY(-2px); opacity: 1; }
.launcher:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 14px; }
.launcher .icon { width: 24px; height: 24px; }
.bottom-right { right: 16px; bottom: max(16px, env(safe-area-inset-bottom)); }
.bottom-left { left: 16px; bottom: max(16px, env(safe-area-inset-bottom)); }
.top-right { right: 16px; top: 16px; }
.top-left { left: 16px; top: 16px; }

.panel {
  position: fixed; z-index: 2147483000; display: flex; flex-direction: column; container: panel / inline-size;
  background: var(--surface); animation: rise .16s ease-out;
}
.panel:focus-visible { outline: none; }
.at-bottom {
  --hidden-at: 0 16px; inset: auto 0 0; min-height: 200px; max-height: calc(100dvh - 32px);
  box-shadow: 0 -8px 40px var(--shadow), 0 -1px 0 var(--line-strong);
}
.at-right {
  --hidden-at: 16px 0; inset: 0 0 0 auto; min-width: 340px; max-width: calc(100vw - 48px);
  box-shadow: -8px 0 40px var(--shadow), -1px 0 0 var(--line-strong);
}
@keyframes rise { from { translate: var(--hidden-at); opacity: 0; } }

.resizer { position: absolute; z-index: 2; touch-action: none; }
.at-bottom .resizer { inset: -4px 0 auto; height: 9px; padding: 3px 0; cursor: row-resize; }
.at-right .resizer { inset: 0 auto 0 -4px; width: 9px; padding: 0 3px; cursor: col-resize; }
.resizer::after { content: ''; display: block; width: 100%; height: 100%; background: transparent; transition: background .15s; }
.resizer:hover::after, .resizer:focus-visible::after { background: var(--accent); }
.resizer:focus-visible { outline: none; }

.header {
  display: flex; align-items: stretch; gap: 12px; min-height: 40px; padding: 0 8px 0 14px; flex: none;
  border-bottom: 1px solid var(--line); background: var(--ground);
}
.brand { display: flex; align-items: center; gap: 8px; font-weight: 650; letter-spacing: -.01em; }
.logo { display: grid; place-items: center; width: 24px; height: 24px; border-radius: 7px; background: #0b6b5f; color: #ffffff; }
.tabs { display: flex; flex: 1; min-width: 0; gap: 2px; overflow-x: auto; scrollbar-width: none; }
.tabs button {
  display: inline-flex; align-items: center; gap: 6px; flex: none; padding: 0 10px; border: 0; background: none;
  color: var(--muted); font-weight: 530; box-shadow: inset 0 -2px 0 transparent; transition: color .12s, box-shadow .12s;
}
.tabs button:hover { color: var(--ink); }
.tabs button[aria-selected='true'] { color: var(--accent); box-shadow: inset 0 -2px 0 var(--accent); }
.count {
  min-width: 18px; padding: 0 5px; border-radius: 9px; background: var(--quiet-tint); color: var(--soft);
  font: 600 11px/17px var(--font); font-variant-numeric: tabular-nums; text-align: center;
}
.actions { display: flex; align-items: center; gap: 6px; flex: none; }
.icons { display: flex; align-items: center; }
.hint { padding: 8px 14px; border-bottom: 1px solid var(--line); background: var(--amber-tint); color: var(--amber); flex: none; }
.hint .link { color: inherit; }

@container panel (max-width: 860px) { .wide, .tabs .count { display: none; } }
@container panel (max-width: 720px) {
  .header { flex-wrap: wrap; gap: 0 8px; padding: 6px 8px 0 12px; }
  .brand { order: 1; flex: 1; }
  .actions { order: 2; }
  .tabs { order: 3; flex: 0 0 calc(100% + 20px); margin: 4px -8px 0 -12px; padding: 0 6px; }
  .tabs button { min-height: 40px; padding: 0 5px; flex: 1 0 auto; justify-content: center; }
}
@media (max-width: 720px) { .icons .movable { display: none; } }
`;
