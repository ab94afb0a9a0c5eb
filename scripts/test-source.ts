import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a test file asks of the machine, by its own words and those of every module that it loads. */
export interface Demand {
  /** Groups of packages, as `scripts/install.sh` names them, and `database`. */
  readonly needs: readonly string[];
  /** How long it takes alone, where that is long. */
  readonly slowSeconds: number | undefined;
  /** It changes what others in its process would see, and gets a process for itself. */
  readonly alone: boolean;
  /** How many modules of the project it loads. */
  readonly modules: number;
}

/** A module's own words: `// Needs: dns, browser`, `// Slow: 90 s`, `// Alone: why`, each a line of its own. */
interface Words {
  readonly needs: readonly string[];
  readonly slowSeconds: number | undefined;
  readonly alone: boolean;
  readonly loads: readonly string[];
}

const NEEDS = /^\/\/ Needs: ([a-z][a-z, -]*)/gm;
const SLOW = /^\/\/ Slow: (\d+) s\b/m;
const ALONE = /^\/\/ Alone: \S/m;
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
/** Imports that are there when the program runs, and files that are started as programs or loaded by their URL. */
const LOADS = [
  /^\s*(?:import|export)\s+(?!type\b)[^'";]*?\bfrom\s+'(\.[^']+)'/gm,
  /\bimport\(?\s*'(\.[^']+)'/g,
  /\bnew URL\('(\.[^']+\.ts)', import\.meta\.url\)/g,
  /\bjoin\(import\.meta\.dirname, '([^']+\.ts)'\)/g,
];

const known = new Map<string, Words>();

/** What the file and all that it loads say. Read and not run, so it costs little. */
export function demandOf(file: string): Demand {
  const needs = new Set<string>();
  let slowSeconds: number | undefined;
  let alone = false;
  const seen = new Set([file]);
  for (const one of seen) {
    const words = wordsOf(one);
    for (const need of words.needs) needs.add(need);
    if (words.slowSeconds !== undefined) slowSeconds = Math.max(slowSeconds ?? 0, words.slowSeconds);
    alone ||= words.alone;
    for (const loaded of words.loads) seen.add(loaded);
  }
  // What a file says of itself is measured, what a module says is a guess for those that load it.
  return {
    needs: [...needs].sort(),
    slowSeconds: wordsOf(file).slowSeconds ?? slowSeconds,
    alone,
    modules: seen.size,
  };
}

function wordsOf(file: string): Words {
  const before = known.get(file);
  if (before !== undefined) return before;
  const words = read(file);
  known.set(file, words);
  return words;
}

function read(file: string): Words {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { needs: [], slowSeconds: undefined, alone: false, loads: [] }; // it says so itself when it is run
  }
  const slow = SLOW.exec(text)?.[1];
  const code = text.replaceAll(COMMENTS, '');
  return {
    needs: [...text.matchAll(NEEDS)].flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
    slowSeconds: slow === undefined ? undefined : Number(slow),
    alone: ALONE.test(text),
    loads: LOADS.flatMap((pattern) => [...code.matchAll(pattern)])
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => path.endsWith('.ts')),
  };
}
