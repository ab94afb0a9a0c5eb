import type { Block } from './block.ts';
import type { Email } from './email.ts';

/** The text of a letter: what it says, completely. The HTML says the same. */
export function plainText({ greeting, blocks, signature }: Email): string {
  // `-- ` and a line break is where readers' programs find the signature (RFC 3676 4.3).
  const parts = [greeting, ...blocks.map(plainBlock), `-- \n${signature.join('\n')}`];
  return `${parts.join('\n\n')}\n`;
}

function plainBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.text;
    case 'quotation':
      return block.lines.map((line) => `  ${line}`.trimEnd()).join('\n');
    case 'button':
      return `${block.label}:\n${block.link}`;
    case 'facts':
      return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'table':
      return block.rows.map((row) => plainRow(block.head, row)).join('\n');
  }
}

/** `* web.example.com`, and below it what is said of it. */
function plainRow(head: readonly string[], [name = '', ...cells]: readonly string[]): string {
  return [`* ${name}`, ...cells.map((cell, index) => `  ${head[index + 1]}: ${cell}`)].join('\n');
}
