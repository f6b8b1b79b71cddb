import { renderMermaidSVG } from 'beautiful-mermaid';

/**
 * A markdown-it plugin: draws ```mermaid blocks while the site is built, in the colours of the page. Their first line
 * is a comment (`%% …`), which becomes the text for those who do not see the picture.
 */
export function diagrams(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest);
    const [, label] = content.match(/^%% (.+)/) ?? [];
    if (label === undefined) throw new Error(`A diagram without a %% description:\n${content}`);
    // It can be scrolled on a phone, so by keys too. As HTML from a string: in a template, Vue would leave out the style element.
    const html = md.utils.escapeHtml(JSON.stringify(draw(content)));
    return `<figure class="diagram" role="img" tabindex="0" aria-label="${md.utils.escapeHtml(label)}" v-html="${html}"></figure>`;
  };
}

function draw(code) {
  return renderMermaidSVG(code, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    muted: 'var(--vp-c-text-2)',
    accent: 'var(--vp-c-brand-1)',
    line: 'var(--vp-c-text-2)',
    border: 'var(--vp-c-text-3)',
    surface: 'var(--vp-c-bg-soft)',
    transparent: true,
  })
    .replace(/@import[^;]+;/g, '') // a web font, which the site does not use
    .replace(/font-family:[^;}"]+/g, 'font-family: inherit');
}
