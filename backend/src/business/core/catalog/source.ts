import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';

/** A place in the document and what is wrong there; lines count from 1. */
export interface CatalogProblem {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** A YAML text as plain values that still know which line they stand on. */
export interface Source {
  readonly document: unknown;
  /** The line of the value at `path`, or of what comes closest to it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export type SourceReading = { ok: true; source: Source } | { ok: false; problems: CatalogProblem[] };

/** A document that is no catalogue at all would have a problem in every line. */
export const MOST_PROBLEMS = 100;

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_NESTED = 50;
const TOO_DEEP = 'is nested too deeply';
const PLAIN_MESSAGES: Partial<Record<ErrorCode, string>> = {
  RESOURCE_EXHAUSTION: TOO_DEEP,
  MULTIPLE_DOCS: 'there is more than one document',
};
/** A plain number that a double may not hold as it is written. */
const LONG_DECIMAL = /^-?[0-9.]{16,}$/;

/**
 * Reads YAML 1.2 (and so JSON) in its core schema: no tags, no aliases (which a small text could blow up
 * with), no key twice, at most 4 MiB. Numbers with more digits than a double holds become text.
 */
export function readSource(text: string): SourceReading {
  if (Buffer.byteLength(text) > MOST_BYTES) {
    return { ok: false, problems: [{ path: '', line: 1, message: 'the document is larger than 4 MiB' }] };
  }
  const lines = new LineCounter();
  const yaml = parseDocument(text, {
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false, // quadratic there; see inspect
    lineCounter: lines,
    prettyErrors: false,
  });
  const line = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const problems: CatalogProblem[] = [...yaml.errors, ...yaml.warnings].map(({ code, message, pos }) => ({
    path: '',
    line: line(pos[0]),
    message: PLAIN_MESSAGES[code] ?? message,
  }));
  if (problems.length === 0) {
    inspect(yaml.contents, [], (path, node, message) =>
      problems.push({ path: printPath(path), line: line(node.range?.[0] ?? 0), message }),
    );
  }
  if (problems.length > 0) return { ok: false, problems: problems.slice(0, MOST_PROBLEMS) };
  return { ok: true, source: { document: yaml.toJS(), lineOf: (path) => line(offsetOf(yaml, path)) } };
}

type Report = (path: readonly PropertyKey[], node: Node, message: string) => void;

/** Finds what is valid YAML but not wanted here, and keeps long decimals from being rounded. */
function inspect(node: unknown, path: PropertyKey[], report: Report): void {
  if (path.length > MOST_NESTED && isNode(node)) {
    report(path, node, TOO_DEEP);
  } else if (isScalar(node)) {
    if (typeof node.value === 'number' && LONG_DECIMAL.test(node.source ?? '')) node.value = node.source;
  } else if (isMap(node)) {
    const seen = new Set<unknown>();
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      path.push(String(key.value));
      if (seen.has(key.value)) report(path, key, 'is there twice');
      if (key.value === '__proto__') report(path, key, 'is not a known field');
      seen.add(key.value);
      inspect(value, path, report);
      path.pop();
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      path.push(index);
      inspect(item, path, report);
      path.pop();
    }
  } else if (isAlias(node)) {
    report(path, node, 'is an alias, which is not supported');
  }
}

/** `tlds[3].policy.transfer_model` */
export function printPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');
}

function offsetOf(yaml: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = yaml.contents;
  let offset = yaml.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof step === 'number') {
      const item: unknown = node.items[step];
      if (!isScalar(item) && !isMap(item) && !isSeq(item)) break;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else break;
  }
  return offset;
}
