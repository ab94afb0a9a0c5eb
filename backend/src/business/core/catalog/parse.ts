import type { z } from 'zod';
import { Catalog } from './schema/schema.ts';
import { writtenAt } from './schema/tld-defaults.ts';
import { type CatalogProblem, MOST_PROBLEMS, printPath, readSource, type Source } from './source.ts';

export type CatalogReading =
  | { readonly ok: true; readonly catalog: Catalog }
  | { readonly ok: false; readonly problems: readonly CatalogProblem[] };

/**
 * Reads a catalogue from YAML or JSON text. Either all of it is right, or its problems (at most 100) are listed
 * in the order of their lines. What a TLD inherits is reported once, where it is written.
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
  for (const { path, message } of issues.flatMap(spread)) {
    const written = writtenAt(source.document, path);
    const name = printPath(written);
    const key = `${name}\n${message}`;
    if (problems.has(key)) continue;
    problems.set(key, { path: name, line: source.lineOf(written), message });
    if (problems.size === MOST_PROBLEMS) break;
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
