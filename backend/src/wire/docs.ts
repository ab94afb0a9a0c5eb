import type { Operation } from '../operation.ts';
import { errorsPage } from './docs/errors-page.ts';
import { layout } from './docs/layout.ts';
import { operationPage } from './docs/operation-page.ts';
import { overviewPage } from './docs/overview-page.ts';
import { referenceOf } from './docs/reference.ts';

/**
 * The browsable reference, made from the definitions: whole HTML pages by their paths. `base` is the address of
 * the interface that its examples call.
 */
export function docsPages(operations: readonly Operation[], base: string): Map<string, string> {
  const reference = referenceOf(operations, base);
  const pages = [
    overviewPage(reference),
    errorsPage(reference),
    ...reference.groups.flatMap(([, members]) =>
      members.map((operation) => operationPage(operation, reference)),
    ),
  ];
  return new Map(pages.map((page) => [page.path, layout(reference, page)]));
}
