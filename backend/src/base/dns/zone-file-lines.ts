import { reading } from './fault.ts';
import { requireCleanText, scanToken, type Token } from './presentation.ts';
import type { RecordProblem } from './record.ts';

/** What zone files made here put before a record that is not published. */
export const DISABLED_MARK = '; disabled: ';

/** An entry of a zone file (RFC 1035 §5.1): a line, or several that parentheses hold together. */
export interface Entry {
  /** Where it begins, counted from 1. */
  readonly line: number;
  /** It begins with a space: its owner is that of the entry before. */
  readonly ownerless: boolean;
  readonly disabled: boolean;
  readonly tokens: readonly Token[];
  readonly comment: string | null;
  /** What is wrong with its form; the entries after it are not affected. */
  readonly problem: RecordProblem | null;
}

/** The entries of a zone file, empty lines and lines of comment left out. */
export function* entriesOf(file: string): Generator<Entry> {
  const lines = file.replace(/^\ufeff/, '').split(/\r?\n|\r$/);
  for (let at = 0; at < lines.length; ) {
    const entry = new EntryReader(at + 1);
    do entry.add(lines[at++] ?? '');
    while (entry.isOpen && at < lines.length);
    const result = entry.end();
    if (result !== null) yield result;
  }
}

class EntryReader {
  readonly #line: number;
  readonly #tokens: Token[] = [];
  readonly #comments: string[] = [];
  #first = true;
  #ownerless = false;
  #disabled = false;
  #depth = 0;
  #problem: RecordProblem | null = null;

  constructor(line: number) {
    this.#line = line;
  }

  /** A parenthesis is still to be closed. */
  get isOpen(): boolean {
    return this.#depth > 0;
  }

  add(line: string): void {
    const found = reading(() => {
      requireCleanText(line);
      this.#scan(this.#first ? this.#begin(line) : line);
    });
    if (!found.ok) this.#problem = found.problem;
  }

  end(): Entry | null {
    if (this.#tokens.length === 0 && this.#problem === null && this.#depth === 0) return null;
    const unclosed = this.#depth > 0 ? problem('A parenthesis is not closed.') : null;
    return {
      line: this.#line,
      ownerless: this.#ownerless,
      disabled: this.#disabled,
      tokens: this.#tokens,
      comment: this.#comments.join(' ') || null,
      problem: this.#problem ?? unclosed,
    };
  }

  #begin(line: string): string {
    this.#first = false;
    this.#disabled = line.startsWith(DISABLED_MARK);
    const rest = this.#disabled ? line.slice(DISABLED_MARK.length) : line;
    this.#ownerless = /^[ \t]/.test(rest);
    return rest;
  }

  #scan(line: string): void {
    for (let at = 0; at < line.length; ) {
      const character = line[at] ?? '';
      if (character === ';') {
        const comment = line.slice(at + 1).trim();
        if (comment !== '') this.#comments.push(comment);
        return;
      }
      if (character === '(') this.#depth += 1;
      if (character === ')') this.#depth -= 1;
      if (this.#depth < 0) {
        this.#problem = problem('A parenthesis is closed that was not opened.');
        return;
      }
      if (/[ \t()]/.test(character)) {
        at += 1;
        continue;
      }
      const { token, end } = scanToken(line, at, true);
      this.#tokens.push(token);
      at = end;
    }
  }
}

function problem(message: string): RecordProblem {
  return { field: 'content', error: 'invalid_format', message };
}
