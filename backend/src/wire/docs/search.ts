import { type Html, html } from '../../base/html.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { Operation } from '../../operation.ts';
import { inputSchema, outputSchema } from '../schema.ts';
import { fieldsOf, formsOf } from './field.ts';
import { LONGEST_SEARCH, type Page } from './layout.ts';
import { method } from './operation-page.ts';
import { prose } from './prose.ts';
import type { Reference } from './reference.ts';

const MOST_WORDS = 8;
const MOST_RESULTS = 50;

/** One thing that can be found. */
interface Entry {
  readonly shown: Html;
  /** What words are looked for in, in lower case, each with what a word in it counts. */
  readonly texts: readonly (readonly [text: string, counts: number])[];
}

/**
 * Finds operations and errors. A result has every word of the search somewhere: in its name, its summary, the names of
 * its fields, or its description. What has them in its name comes first.
 */
export class Search {
  readonly #entries: readonly Entry[];

  constructor({ groups, paths }: Reference) {
    this.#entries = [
      ...groups.flatMap(([, operations]) => operations.map((operation) => operationEntry(operation, paths))),
      ...(Object.keys(ERRORS) as ErrorCode[]).map(errorEntry),
    ];
  }

  /** The page that answers a search. */
  page(search: string): Page {
    const shown = search.slice(0, LONGEST_SEARCH).trim();
    const found = this.#find(shown);
    const body = html`<h1>Search</h1>
<p class="lead">${found.length === 0 && shown !== '' ? html`Nothing has all of the words “${shown}”.` : countOf(found.length, shown)}</p>
<ul class="results">${found.slice(0, MOST_RESULTS).map(
      (result) => html`
<li>${result}</li>`,
    )}
</ul>`;
    return { path: '/docs/search', title: shown === '' ? 'Search' : `“${shown}”`, search: shown, body };
  }

  #find(search: string): readonly Html[] {
    const words = [...new Set(search.toLowerCase().split(/\s+/))].filter((word) => word !== '');
    if (words.length === 0) return [];
    return this.#entries
      .map((entry) => ({ entry, score: scoreOf(entry, words.slice(0, MOST_WORDS)) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ entry }) => entry.shown);
  }
}

function countOf(count: number, search: string): Html {
  if (search === '') return html`Type a word: a name of an operation, a field, an error.`;
  if (count > MOST_RESULTS) return html`The first ${MOST_RESULTS} of ${count} results for “${search}”.`;
  return html`${count} ${count === 1 ? 'result' : 'results'} for “${search}”.`;
}

/** 0: a word is nowhere in it. */
function scoreOf({ texts }: Entry, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const best = texts.find(([text]) => text.includes(word));
    if (best === undefined) return 0;
    const [text, counts] = best;
    // A whole word counts for more than a part of one.
    score += counts + (text.split(/[^a-z0-9]+/).includes(word) ? counts / 2 : 0);
  }
  return score;
}

function operationEntry(operation: Operation, paths: ReadonlySet<string>): Entry {
  const names = [inputSchema(operation), outputSchema(operation)]
    .flatMap(formsOf)
    .flatMap((form) => fieldsOf(form).map(({ name }) => name));
  return {
    shown: html`${method(operation)} <a href="/docs/${operation.path}">${operation.path}</a> <span class="note">${prose(operation.summary, paths)}</span>`,
    texts: [
      [operation.path, 8],
      [operation.summary.toLowerCase(), 4],
      [[...new Set(names)].join(' ').toLowerCase(), 2],
      [`${operation.description ?? ''} ${operation.errors.join(' ')}`.toLowerCase(), 1],
    ],
  };
}

function errorEntry(code: ErrorCode): Entry {
  const { status, title, en } = ERRORS[code];
  return {
    shown: html`<span class="method">${status}</span> <a href="/docs/errors#${code}">${code}</a> <span class="note">${en}</span>`,
    texts: [
      [`${code} ${code.replaceAll('_', ' ')}`, 8],
      [`${title} ${status}`.toLowerCase(), 4],
      [en.toLowerCase(), 1],
    ],
  };
}
