import type { Operation } from '../operation.ts';
import { errorsPage } from './docs/errors-page.ts';
import { layout } from './docs/layout.ts';
import { operationPage } from './docs/operation-page.ts';
import { overviewPage } from './docs/overview-page.ts';
import { type Reference, referenceOf } from './docs/reference.ts';
import { Search } from './docs/search.ts';

/** The browsable reference: whole HTML pages. */
export interface Docs {
  /** By their paths. */
  readonly pages: ReadonlyMap<string, string>;
  /** The page that answers a search. */
  search(words: string): string;
}

/** Makes the reference from the definitions. `base` is the address of the interface that its examples call. */
export function makeDocs(
  operations: readonly Operation[],
  options: Pick<Reference, 'base' | 'answers'>,
): Docs {
  const reference = referenceOf(operations, options);
  const search = new Search(reference);
  const pages = [
    overviewPage(reference),
    errorsPage(reference),
    ...reference.groups.flatMap(([, members]) =>
      members.map((operation) => operationPage(operation, reference)),
    ),
  ];
  return {
    pages: new Map(pages.map((page) => [page.path, layout(reference, page)])),
    search: (words) => layout(reference, search.page(words)),
  };
}
