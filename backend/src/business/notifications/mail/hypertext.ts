import { Html, html } from '../../../base/html.ts';
import type { Block } from './block.ts';
import type { Email } from './email.ts';

// Colours that say nothing of their ground (grey lines, the reader's own text), so that they fit a dark one too;
// only the button brings both.
const COLUMN = 'max-width:600px;margin:0 auto;padding:24px 16px;font:16px/1.5 system-ui,sans-serif';
const BUTTON =
  'display:inline-block;padding:12px 20px;border-radius:6px;background:#0a58a8;color:#ffffff;font-weight:600;text-decoration:none';
const LINK = 'font-size:14px;overflow-wrap:anywhere';
const TABLE = 'width:100%;border-collapse:collapse;margin:16px 0';
const CELL = 'padding:8px 8px 8px 0;border-bottom:1px solid #8a94a0;text-align:left;vertical-align:top';
const VALUE = `${CELL};overflow-wrap:anywhere`;
const QUOTATION = 'margin:16px 0;padding-left:16px;border-left:3px solid #8a94a0;overflow-wrap:anywhere';
const SIGNATURE = 'margin-top:32px;padding-top:16px;border-top:1px solid #8a94a0;font-size:14px';

/** The letter as one column of HTML: nothing is loaded from anywhere, nothing counts who reads it. */
export function hypertext({ locale, subject, greeting, blocks, signature }: Email): string {
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>:root { color-scheme: light dark; supported-color-schemes: light dark; }</style>
</head>
<body style="margin:0">
<div style="${COLUMN}">
<p>${greeting}</p>
${blocks.map(hypertextBlock)}
<div style="${SIGNATURE}">
${lines(signature)}
</div>
</div>
</body>
</html>
`.toString();
}

function hypertextBlock(block: Block): Html {
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${block.text}</p>
`;
    case 'quotation':
      return html`<div style="${QUOTATION}">
${lines(block.lines)}
</div>
`;
    case 'button':
      return html`<p><a href="${block.link}" style="${BUTTON}">${block.label}</a></p>
<p style="${LINK}">${block.link}</p>
`;
    case 'facts':
      return html`<table style="${TABLE}">
${block.facts.map(
  ([label, value]) => html`<tr><th scope="row" style="${CELL}">${label}</th>
<td style="${VALUE}">${value}</td></tr>
`,
)}</table>
`;
    case 'table':
      return html`<table style="${TABLE}">
<tr>${block.head.map(
        (head) => html`<th scope="col" style="${CELL}">${head}</th>
`,
      )}</tr>
${block.rows.map(hypertextRow)}</table>
`;
  }
}

function hypertextRow(row: readonly string[]): Html {
  return html`<tr>${row.map(
    (cell) => html`<td style="${VALUE}">${cell}</td>
`,
  )}</tr>
`;
}

function lines(texts: readonly string[]): Html {
  return new Html(texts.map((text) => html`${text}`.toString()).join('<br>\n'));
}
