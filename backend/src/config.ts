import { parseArgs } from 'node:util';
import { z } from 'zod';

/** Where a setting comes from: a flag wins over a variable, a variable over the default. */
interface Setting {
  readonly flag?: string;
  readonly variable: string;
  readonly takes: string;
  readonly type: z.ZodType;
}

const port = z.coerce.number().int().min(0).max(65_535);
const count = (max: number) => z.coerce.number().int().min(1).max(max);
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//);

const SETTINGS = {
  port: {
    flag: 'port',
    variable: 'HOSTKEEP_PORT',
    takes: 'a port from 0 to 65535 (0: any free one)',
    type: port.default(8080),
  },
  listen: {
    flag: 'listen',
    variable: 'HOSTKEEP_LISTEN',
    takes: 'an address to listen on',
    type: z.string().min(1).default('127.0.0.1'),
  },
  data: {
    flag: 'data',
    variable: 'HOSTKEEP_DATA',
    takes: 'a directory',
    type: z.string().min(1).default('./data'),
  },
  databaseUrl: { variable: 'DATABASE_URL', takes: 'a postgres:// address', type: postgresUrl.optional() },
  databaseDirectUrl: {
    variable: 'DATABASE_DIRECT_URL',
    takes: 'a postgres:// address that bypasses a pooler',
    type: postgresUrl.optional(),
  },
  keyFile: {
    flag: 'key-file',
    variable: 'HOSTKEEP_KEY_FILE',
    takes: 'a file outside the data directory',
    type: z.string().min(1).optional(),
  },
  publicUrl: {
    flag: 'public-url',
    variable: 'HOSTKEEP_PUBLIC_URL',
    takes: 'an http(s) address',
    type: z.url({ protocol: /^https?$/ }).optional(),
  },
  trustedProxies: {
    variable: 'HOSTKEEP_TRUSTED_PROXIES',
    takes: 'addresses or networks, separated by commas',
    type: list.default([]),
  },
  logLevel: {
    flag: 'log-level',
    variable: 'HOSTKEEP_LOG_LEVEL',
    takes: 'fatal, error, warn, info, debug or silent',
    type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  },
  tokenRate: {
    variable: 'HOSTKEEP_RATE_TOKEN',
    takes: 'requests a minute for one token',
    type: count(10_000_000).default(600),
  },
  addressRate: {
    variable: 'HOSTKEEP_RATE_ADDRESS',
    takes: 'requests a minute for one address without a token',
    type: count(10_000_000).default(120),
  },
  registration: {
    variable: 'HOSTKEEP_REGISTRATION',
    takes: 'open or closed',
    type: z.enum(['open', 'closed']).default('open'),
  },
  checkDeadlineMs: {
    variable: 'HOSTKEEP_CHECK_DEADLINE_MS',
    takes: 'milliseconds that registries get for domain/check',
    type: count(30_000).default(1_500),
  },
  workers: {
    flag: 'workers',
    variable: 'HOSTKEEP_WORKERS',
    takes: 'a number of jobs at once, 1 to 64',
    type: count(64).default(8),
  },
} satisfies Record<string, Setting>;

type Settings = typeof SETTINGS;
export type Config = { readonly [Name in keyof Settings]: z.output<Settings[Name]['type']> };

/** A setting cannot be used; the message names it, what it got and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

export interface CommandLine {
  readonly config: Config;
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean>>;
}

/**
 * Parses a command line and the environment, once. `own` are the command's own flags.
 * Throws {@link ConfigError}.
 */
export function parseCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, 'string' | 'boolean'>> = {},
): CommandLine {
  const entries = Object.entries(SETTINGS) as [keyof Settings, Setting][];
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const [, setting] of entries)
    if (setting.flag !== undefined) options[setting.flag] = { type: 'string' };
  for (const [flag, type] of Object.entries(own)) options[flag] = { type };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
  const config = Object.fromEntries(
    entries.map(([name, setting]) => [name, settingValue(setting, parsed.values, env)]),
  ) as Config;
  const flags = Object.fromEntries(Object.entries(parsed.values).filter(([flag]) => flag in own)) as Record<
    string,
    string | boolean
  >;
  return { config, words: parsed.positionals, flags };
}

function settingValue(
  setting: Setting,
  flags: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
): unknown {
  const fromFlag = setting.flag === undefined ? undefined : flags[setting.flag];
  const value = fromFlag ?? env[setting.variable];
  const result = setting.type.safeParse(value === '' ? undefined : value);
  if (result.success) return result.data;
  const name = fromFlag === undefined ? setting.variable : `--${setting.flag}`;
  // A database address may hold a password: it is not repeated.
  const got = setting.variable.includes('URL') ? 'something else' : JSON.stringify(value);
  throw new ConfigError(`${name} takes ${setting.takes}, but got ${got}`);
}
