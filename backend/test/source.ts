import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const ROOT = new URL('../src/', import.meta.url);

export interface Import {
  /** The importing file, from `backend/src/`. */
  readonly from: string;
  /** The imported file, from `backend/src/`. */
  readonly to: string;
  /** It is gone when the program runs. */
  readonly typeOnly: boolean;
  /** What is imported by name. */
  readonly names: readonly string[];
}

export interface Source {
  /** From `backend/src/`. */
  readonly file: string;
  /** Without comments. */
  readonly text: string;
}

/** The program's own files with this ending, tests left out. */
export function sources(ending: 'ts' | 'sql'): Source[] {
  return globSync(`**/*.${ending}`, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.(test|tmp)\.ts$/.test(file))
    .sort()
    .map((file) => ({ file, text: withoutComments(readFileSync(new URL(file, ROOT), 'utf8'), ending) }));
}

function withoutComments(text: string, ending: 'ts' | 'sql'): string {
  if (ending === 'sql') return text.replace(/--.*$/gm, '');
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

const FROM = /^\s*(?:import|export)\s+(type\s+)?([^'";=]*?)\s*from\s*'([^']+)'/gm;
const BARE = /(?:^\s*import|\bimport\()\s*\(?'([^']+)'/gm;

/** Its imports of the program's own files, also those of `export … from` and `import()`. */
export function importsOf({ file, text }: Source): Import[] {
  const found: Import[] = [];
  const add = (path: string, typeOnly: boolean, names: readonly string[]) => {
    if (!path.startsWith('.')) return;
    found.push({ from: file, to: posix.normalize(posix.join(posix.dirname(file), path)), typeOnly, names });
  };
  for (const [, type, clause = '', path = ''] of text.matchAll(FROM)) {
    const names = (/\{([\s\S]*)\}/.exec(clause)?.[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const allTypes =
      names.length > 0 && names.every((name) => name.startsWith('type ')) && clause.startsWith('{');
    add(
      path,
      type !== undefined || allTypes,
      names.map((name) => name.replace(/^type\s+/, '').replace(/\s+as\s.*$/, '')),
    );
  }
  for (const [, path = ''] of text.matchAll(BARE)) add(path, false, []);
  return found;
}
