import { type Html, html } from '../../base/html.ts';

/** Text of a definition: what stands in backticks is code, and a link where it names a documented operation. */
export function prose(text: string, paths: ReadonlySet<string>): Html {
  const parts = text.split('`');
  // A backtick without a partner is only a character.
  if (parts.length % 2 === 0) parts.push(parts.splice(-2).join('`'));
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : code(part, paths)))}`;
}

function code(text: string, paths: ReadonlySet<string>): Html {
  const shown = html`<code>${text}</code>`;
  return paths.has(text) ? html`<a href="/docs/${text}">${shown}</a>` : shown;
}
