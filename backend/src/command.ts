import type { Config } from './config.ts';

/** One command of the operator's command line. */
export interface Command {
  /** The words that choose it, e.g. `token create`. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name: `--customer <email> --scope <scope>`. */
  readonly usage: string;
  /** Its own flags, beside the settings that all commands take. */
  readonly flags: Readonly<Record<string, 'string' | 'boolean'>>;
  run(invocation: Invocation): Promise<void>;
}

export interface Invocation {
  readonly config: Config;
  /** What was given after the command's name. */
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean>>;
  /** For what a script reads: one value or one record a line. */
  print(line: string): void;
  /** For people: standard error. */
  tell(line: string): void;
}

/** The command was used wrongly, or cannot do what was asked; the message says what to do. Exit status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A flag that must be there. */
export function required(flags: Invocation['flags'], name: string): string {
  const value = flags[name];
  if (typeof value !== 'string' || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

export function optional(flags: Invocation['flags'], name: string): string | undefined {
  const value = flags[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
