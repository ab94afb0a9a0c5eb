import { type Html, html } from '../../base/html.ts';
import { GROUPS } from '../group.ts';
import type { Reference } from './reference.ts';
import { STYLE } from './style.ts';

/** The most characters of a search; what is beyond them is cut off. */
export const LONGEST_SEARCH = 100;

export interface Page {
  /** Below the host: `/docs/panel/order`. */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
  /** What is searched for, where the page answers a search. */
  readonly search?: string;
}

/** A whole page. */
export function layout(reference: Reference, page: Page): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} – Hostkeep</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><strong><a href="/docs">Hostkeep reference</a></strong>
<a href="/docs/errors">Errors</a> <a href="/api/v2/openapi.json">OpenAPI</a>
<form class="search" role="search" action="/docs/search"><input type="search" name="q" aria-label="Search the reference"
placeholder="Operation, field or error" maxlength="${LONGEST_SEARCH}" value="${page.search ?? ''}"><button>Search</button></form></header>
<div class="frame">
<nav class="side" aria-label="Operations">${reference.groups.map(
    ([group, operations]) => html`
<h2>${GROUPS[group]?.title ?? group}</h2>
<ul>${operations.map((operation) => entry(operation.path, page.path))}</ul>`,
  )}
</nav>
<main id="content">
${page.body}
</main>
</div>
</body>
</html>
`.toString();
}

function entry(path: string, current: string): Html {
  const href = `/docs/${path}`;
  return html`<li><a href="${href}"${href === current ? html` aria-current="page"` : null}>${path}</a></li>`;
}
