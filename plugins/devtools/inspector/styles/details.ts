/** The details of a selected item. */
export const details = `
.about { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; padding: 12px 16px 24px; }
.about h2, .card h2 { font-size: 14px; font-weight: 620; overflow-wrap: anywhere; }
.about h2 .key { font-size: 13px; }
.about h3 { color: var(--muted); font-size: 12px; font-weight: 560; }
.section-head { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 8px; min-height: 28px; }
.section-head h3 { flex: 1 1 auto; }
.section-head .search { flex-basis: 130px; max-width: 180px; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); gap: 8px 16px; }
.facts dt { color: var(--muted); font-size: 11.5px; }
.facts dd { font-weight: 530; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.reader { display: flex; align-items: center; gap: 8px; line-height: 1.8; }
.error-text { padding: 8px 10px; border-radius: 7px; background: var(--red-tint); color: var(--red); overflow-wrap: anywhere; }

.leaf, .twist { font: 12px/1.65 var(--mono); }
.leaf { padding-left: 16px; overflow-wrap: anywhere; white-space: pre-wrap; }
.twist { display: flex; align-items: center; max-width: 100%; padding: 0 4px 0 0; border: 0; background: none; text-align: left; white-space: pre; }
.twist:hover { background: var(--hover); border-radius: 4px; }
.twist .icon { width: 12px; height: 12px; margin: 0 2px; color: var(--muted); transition: transform .12s; }
.twist[aria-expanded='true'] .icon { transform: rotate(90deg); }
.preview { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
.members { margin-left: 7px; padding-left: 9px; border-left: 1px solid var(--line); }
.members > .link { padding-left: 16px; }
.name { flex: none; color: var(--ink); font-weight: 560; }
.string { color: var(--green); }
.number { color: var(--blue); }
.nothing { color: var(--violet); }
.punctuation { color: var(--muted); }

.editor { display: grid; gap: 8px; }
.editor textarea {
  width: 100%; padding: 8px 10px; border: 1px solid var(--line-strong); border-radius: 7px; background: var(--surface); color: var(--ink);
  font: 12px/1.6 var(--mono); resize: vertical;
}

.changes { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
.changes h3 { margin-bottom: 4px; color: var(--ink); overflow-wrap: anywhere; }
.differences { display: grid; gap: 2px; font: 12px/1.6 var(--mono); }
.differences > div { display: flex; gap: 8px; }
.differences dt { flex: none; font-weight: 560; }
.differences dd { min-width: 0; overflow-wrap: anywhere; }
del:has(.branch), ins:has(.branch) { display: block; }
del, ins { text-decoration: none; border-radius: 3px; padding: 1px 3px; }
del { background: var(--red-tint); }
ins { background: var(--green-tint); }
del *, ins * { color: var(--ink); }

.cards {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(min(280px, 100%), 1fr)); gap: 12px; align-items: start; align-content: start;
  padding: 12px; background: var(--ground);
}
.card { display: grid; gap: 10px; justify-items: start; padding: 14px 16px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); }
.card h2 { display: flex; align-items: center; gap: 8px; }
.card .facts { width: 100%; }
progress { width: 100%; height: 6px; accent-color: var(--accent); }
.plugins { display: flex; flex-wrap: wrap; gap: 6px; }
.plugins code { padding: 2px 8px; border-radius: 5px; background: var(--quiet-tint); font: 12px/1.6 var(--mono); }
`;
