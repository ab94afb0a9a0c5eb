import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** A file of the tree that a program makes, named from the project's root. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

export function isFresh({ name, text }: GeneratedFile): boolean {
  const file = join(ROOT, name);
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

export function write({ name, text }: GeneratedFile): void {
  const file = join(ROOT, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
