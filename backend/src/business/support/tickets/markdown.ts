import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

// HTML in the text is shown as text. What the renderer makes is sanitized all the same: a fault in one of the two
// opens nothing.
const markdown = new MarkdownIt('default', { html: false, linkify: true, breaks: true, maxNesting: 20 });
// Nothing that looks like a host alone becomes a link: customers write names of their own all the time.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
// A picture elsewhere tells whoever put it there who looks at it, and when: it is a link like any other.
markdown.renderer.rules.image = (tokens, index) => {
  const token = tokens[index];
  const address = String(token?.attrGet('src') ?? '');
  const { escapeHtml } = markdown.utils;
  return `<a href="${escapeHtml(address)}">${escapeHtml(token?.content || address)}</a>`;
};

const CLEAN: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code'],
    ...['em', 'strong', 's', 'a', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: { a: ['href', 'title', 'rel', 'target'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: {},
  allowProtocolRelative: false,
  disallowedTagsMode: 'escape',
  // A link leaves: to a whole address, and it takes neither the way back nor our word for what is there.
  transformTags: {
    a: (tagName, { href = '', ...attribs }) => ({
      tagName,
      attribs: {
        ...(/^(https?:\/\/|mailto:)/i.test(href) && URL.canParse(href) ? { href } : {}),
        ...attribs,
        rel: 'noopener noreferrer nofollow',
        target: '_blank',
      },
    }),
  },
};

// Tables complete themselves: a few letters can become very many cells.
const MOST_GROWTH = 12;
const MOST_ADDED = 20_000;

/** What has been rendered, up to so many letters: a ticket is read more often than it is written. */
const MOST_KEPT = 8_000_000;
const kept = new Map<string, string>();
let keptLetters = 0;

/**
 * Markdown (CommonMark with tables) as HTML that is safe in a page: of few elements, without scripts, styles and
 * pictures, with links to the web and to mail addresses only. What would grow out of proportion is shown as it is.
 */
export function renderMarkdown(source: string): string {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const rendered = rendering(source);
  kept.set(source, rendered);
  keptLetters += source.length + rendered.length;
  for (const [old, html] of kept) {
    if (keptLetters <= MOST_KEPT) break;
    kept.delete(old);
    keptLetters -= old.length + html.length;
  }
  return rendered;
}

function rendering(source: string): string {
  const html = markdown.render(source);
  if (html.length > source.length * MOST_GROWTH + MOST_ADDED)
    return `<pre>${markdown.utils.escapeHtml(source)}</pre>`;
  return sanitized(html);
}

/** HTML with nothing left in it but what Markdown has a sign for. */
export function sanitized(html: string): string {
  return sanitizeHtml(html, CLEAN);
}

const EXCERPT = 200;

/** The beginning of a message in one line. */
export function excerptOf(source: string): string {
  const line = source
    .slice(0, EXCERPT * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= EXCERPT ? line : `${line.slice(0, EXCERPT - 1).toWellFormed()}…`;
}
