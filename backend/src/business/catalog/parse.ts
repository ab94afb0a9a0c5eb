import type { z } from 'zod';
import { Catalog } from './schema.ts';
import { type CatalogProblem, printPath, readSource, type Source } from './source.ts';
import { writtenAt } from './tld-defaults.ts';

export type CatalogReading =
  | { readonly ok: true; readonly catalog: Catalog }
  | { readonly ok: false; readonly problems: readonly CatalogProblem[] };

/**
 * Reads a catalogue from YAML or JSON text. Either all of it is right, or every problem found is listed once,
 * in the order of the lines to put right. What the document inherits is reported where it is written.
 */
export function parseCatalog(text: string): CatalogReading {
  const reading = readSource(text);
  if (!reading.ok) return reading;
  const parsed = Catalog.safeParse(reading.source.document, { error: plainMessage });
  if (parsed.success) return { ok: true, catalog: parsed.data };
  return { ok: false, problems: problemsOf(parsed.error.issues, reading.source) };
}

function problemsOf(issues: readonly z.core.$ZodIssue[], source: Source): CatalogProblem[] {
  const problems = new Map<string, CatalogProblem>();
  for (const issue of issues) {
    for (const { path, message } of spread(issue)) {
      const written = writtenAt(source.document, path);
      const problem = { path: printPath(written), line: source.lineOf(written), message };
      problems.set(JSON.stringify(problem), problem);
    }
  }
  return [...problems.values()].sort((a, b) => a.line - b.line);
}

/** Zod reports all unknown fields of an object at the object; each has a place of its own. */
function spread(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string }[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, message: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'is not a known field' }));
}

function plainMessage(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return 'is missing';
  }
  return undefined;
}
