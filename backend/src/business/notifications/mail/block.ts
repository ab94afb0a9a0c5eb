/** A part of a mail, from which both its plain text and its HTML are made. */
export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  /** What somebody wrote, line by line. */
  | { readonly kind: 'quotation'; readonly lines: readonly string[] }
  | { readonly kind: 'button'; readonly label: string; readonly link: string }
  /** Each row says one thing; its first column names it. */
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [label: string, value: string])[] };

export function paragraph(text: string): Block {
  return { kind: 'paragraph', text };
}

export function quotation(lines: readonly string[]): Block {
  return { kind: 'quotation', lines };
}

/** The one thing to do: a link that stands out, and is shown in full besides. */
export function button(label: string, link: string): Block {
  if (!/^https?:\/\/\S+$/.test(link)) throw new Error(`the link of "${label}" is no web address`);
  return { kind: 'button', label, link };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', head, rows };
}

/** Labels with their values; without a value there is nothing to say. */
export function facts(...all: readonly (readonly [label: string, value: string])[]): Block {
  return { kind: 'facts', facts: all.filter(([, value]) => value !== '') };
}
