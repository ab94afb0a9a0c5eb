import { parseArgs } from 'node:util';
import { z } from 'zod';
import { parseListening } from './base/listening.ts';
import { parseMailbox } from './base/mail-address.ts';
import { parseNameServers, parseServerAddress } from './base/name-server.ts';
import { isResolverAddress } from './base/resolver-address.ts';
import { parseSampling } from './base/sampling.ts';
import { parseSmtpUrl } from './base/smtp-url.ts';
import { parseDatabaseAddress } from './db/address.ts';

/** Where a setting comes from: a flag wins over a variable, a variable over the default. */
interface Setting {
  readonly flag?: string;
  readonly variable: string;
  readonly takes: string;
  /** Never repeated in a message. */
  readonly secret?: true;
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
const dnsName = z
  .string()
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i)
  .transform((name) => name.toLowerCase().replace(/\.$/, ''));
const postgresUrl = z.string().refine((text) => parseDatabaseAddress(text) !== null);
const ADDRESS =
  'a postgres:// address, of several hosts too, whose target_session_attrs is any, read-write or primary';
/** A text that `parse` understands. */
const understood = <T>(parse: (text: string) => T | null) =>
  z.string().transform((text, ctx): T => {
    const value = parse(text);
    if (value !== null) return value;
    ctx.issues.push({ code: 'custom', input: text, message: 'is not understood' });
    return z.NEVER;
  });

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
  databaseUrl: { variable: 'DATABASE_URL', takes: ADDRESS, secret: true, type: postgresUrl.optional() },
  databaseDirectUrl: {
    variable: 'DATABASE_DIRECT_URL',
    takes: `${ADDRESS}, that bypasses a pooler`,
    secret: true,
    type: postgresUrl.optional(),
  },
  databaseOwnerUrl: {
    variable: 'DATABASE_OWNER_URL',
    takes: `${ADDRESS}, as the owner of the tables, for migrations and backups`,
    secret: true,
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
  consoleOrigins: {
    variable: 'HOSTKEEP_CONSOLE_ORIGINS',
    takes: 'origins of other sites whose pages may open consoles, such as https://panel.example, by commas',
    type: list
      .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin))
      .default([]),
  },
  corsOrigins: {
    variable: 'HOSTKEEP_CORS_ORIGINS',
    takes:
      'origins of other sites whose pages may call the interface with a token, such as https://panel.example, by commas',
    type: list
      .refine((origins) => origins.every((origin) => URL.parse(origin)?.origin === origin))
      .default([]),
  },
  logLevel: {
    flag: 'log-level',
    variable: 'HOSTKEEP_LOG_LEVEL',
    takes: 'fatal, error, warn, info, debug or silent',
    type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  },
  accessLog: {
    variable: 'HOSTKEEP_ACCESS_LOG',
    takes: 'all, errors, off, or 1/N for one in N of the requests that succeed',
    type: understood(parseSampling).default({ errors: true, share: 1 }),
  },
  healthListen: {
    variable: 'HOSTKEEP_HEALTH_LISTEN',
    takes: 'a port, an address and port such as 127.0.0.1:9100, or off',
    type: understood((text) => (text === 'off' ? 'off' : parseListening(text))).optional(),
  },
  maxConnections: {
    variable: 'HOSTKEEP_MAX_CONNECTIONS',
    takes: 'connections at once; further ones are closed',
    type: count(100_000).default(2_000),
  },
  tokenRate: {
    variable: 'HOSTKEEP_RATE_TOKEN',
    takes: 'requests a minute for one token',
    type: count(10_000_000).default(600),
  },
  accountRate: {
    variable: 'HOSTKEEP_RATE_ACCOUNT',
    takes: 'requests a minute for one account, by all its tokens together',
    type: count(10_000_000).default(1_800),
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
  registriesFile: {
    flag: 'registries',
    variable: 'HOSTKEEP_REGISTRIES_FILE',
    takes: 'the path of a file of registry connections (docs/guides/registries.md)',
    type: z.string().min(1).optional(),
  },
  hypervisorsFile: {
    variable: 'HOSTKEEP_HYPERVISORS_FILE',
    takes: 'a YAML file of connections to hypervisors: docs/guides/servers.md',
    type: z.string().min(1).optional(),
  },
  webHostsFile: {
    variable: 'HOSTKEEP_WEB_HOSTS_FILE',
    takes: 'a YAML file of hosts that carry webspaces: docs/guides/webspace.md',
    type: z.string().min(1).optional(),
  },
  publicPlayground: {
    flag: 'public-playground',
    variable: 'HOSTKEEP_PUBLIC_PLAYGROUND',
    takes:
      'yes: strangers may use the demo, with its public passwords, play money and VAT check that confirms anything',
    type: z.enum(['yes', 'no']).default('no'),
  },
  vatRegister: {
    variable: 'HOSTKEEP_VAT_REGISTER',
    takes: 'sandbox or vies',
    type: z.enum(['sandbox', 'vies']).default('sandbox'),
  },
  viesUrl: {
    variable: 'HOSTKEEP_VIES_URL',
    takes: 'the http(s) address of a service that is spoken to as VIES is',
    type: z.url({ protocol: /^https?$/ }).default('https://ec.europa.eu/taxation_customs/vies/rest-api'),
  },
  whois: {
    variable: 'HOSTKEEP_WHOIS',
    takes: 'sandbox or internet',
    type: z.enum(['sandbox', 'internet']).default('sandbox'),
  },
  resolvers: {
    variable: 'HOSTKEEP_RESOLVERS',
    takes: 'addresses of public DNS resolvers, separated by commas, such as 9.9.9.9,[2620:fe::fe]:53',
    type: list.refine((servers) => servers.every(isResolverAddress)).default([]),
  },
  sandboxDns: {
    variable: 'HOSTKEEP_SANDBOX_DNS',
    takes:
      "off, or an address and port for the sandbox's name server, such as 127.0.0.1:5353; where it is free unless set",
    type: understood((text) => (text === 'off' ? text : parseServerAddress(text))).optional(),
  },
  powerdnsUrl: {
    variable: 'HOSTKEEP_POWERDNS_URL',
    takes: "the http(s) address of PowerDNS's API, such as http://127.0.0.1:8081",
    type: z.url({ protocol: /^https?$/ }).optional(),
  },
  powerdnsKey: {
    variable: 'HOSTKEEP_POWERDNS_KEY',
    takes: 'the api-key of that PowerDNS',
    secret: true,
    type: z.string().min(1).optional(),
  },
  powerdnsTsigKey: {
    variable: 'HOSTKEEP_POWERDNS_TSIG_KEY',
    takes: 'the name of a TSIG key in PowerDNS that secondaries transfer zones with',
    type: dnsName.optional(),
  },
  powerdnsCatalog: {
    variable: 'HOSTKEEP_POWERDNS_CATALOG',
    takes: 'the name of a catalog zone that secondaries read their list of zones from',
    type: dnsName.optional(),
  },
  nameservers: {
    variable: 'HOSTKEEP_NAMESERVERS',
    takes:
      'name servers with their addresses, such as ns1.example.net=192.0.2.53,ns1.example.net=[2001:db8::53]',
    type: understood(parseNameServers).default([]),
  },
  smtp: {
    variable: 'HOSTKEEP_SMTP_URL',
    takes:
      'smtps://user:password@host:port, or smtp:// for STARTTLS (?tls=none: without, and without a password)',
    type: understood(parseSmtpUrl).optional(),
  },
  mailFrom: {
    variable: 'HOSTKEEP_MAIL_FROM',
    takes: 'an address such as Example Hosting <noreply@hosting.example>',
    type: understood(parseMailbox).optional(),
  },
  stripeKey: {
    variable: 'HOSTKEEP_STRIPE_KEY',
    takes: 'a secret or restricted key of Stripe, sk_… or rk_…',
    secret: true,
    type: z
      .string()
      .regex(/^(sk|rk)_\w+$/)
      .optional(),
  },
  stripeWebhookSecret: {
    variable: 'HOSTKEEP_STRIPE_WEBHOOK_SECRET',
    takes: "the signing secret of Stripe's webhook, whsec_…",
    secret: true,
    type: z
      .string()
      .regex(/^whsec_\S+$/)
      .optional(),
  },
  s3Url: {
    variable: 'HOSTKEEP_S3_URL',
    takes: 'the http(s) address of a bucket, such as https://s3.example/files',
    type: z.url({ protocol: /^https?$/ }).optional(),
  },
  s3Region: {
    variable: 'HOSTKEEP_S3_REGION',
    takes: 'a region such as eu-central-1',
    type: z.string().min(1).default('us-east-1'),
  },
  s3AccessKey: {
    variable: 'HOSTKEEP_S3_ACCESS_KEY',
    takes: 'the id of an access key',
    secret: true,
    type: z.string().min(1).optional(),
  },
  s3SecretKey: {
    variable: 'HOSTKEEP_S3_SECRET_KEY',
    takes: 'the secret of that key',
    secret: true,
    type: z.string().min(1).optional(),
  },
  inboxMaildir: {
    variable: 'HOSTKEEP_INBOX_MAILDIR',
    takes: 'a Maildir that mail for tickets is delivered to',
    type: z.string().min(1).optional(),
  },
  inboxLmtp: {
    variable: 'HOSTKEEP_INBOX_LMTP',
    takes: 'a port, or an address and port such as 127.0.0.1:2424, to take mail for tickets at by LMTP',
    type: understood(parseListening).optional(),
  },
  inboxAuthserv: {
    variable: 'HOSTKEEP_INBOX_AUTHSERV',
    takes: 'the name by which your mail server signs its Authentication-Results',
    type: z.string().min(1).optional(),
  },
  inboxHops: {
    variable: 'HOSTKEEP_INBOX_HOPS',
    takes: 'how many of your own servers put a Received line above those Authentication-Results, 0 to 5',
    type: z.coerce.number().int().min(0).max(5).default(0),
  },
  drainSeconds: {
    variable: 'HOSTKEEP_DRAIN_SECONDS',
    takes: 'seconds, 0 to 600, to go on serving when told to stop, while /readyz says no',
    type: z.coerce.number().int().min(0).max(600).default(0),
  },
  workers: {
    flag: 'workers',
    variable: 'HOSTKEEP_WORKERS',
    takes: 'a number of jobs at once, 1 to 64',
    type: count(64).default(8),
  },
  workersPerBackend: {
    variable: 'HOSTKEEP_WORKERS_PER_BACKEND',
    takes: 'how many of them may command one back end at once, 1 to 64; half of them unless set',
    type: count(64).optional(),
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
  if (config.smtp !== undefined && config.mailFrom === undefined)
    throw new ConfigError(
      `HOSTKEEP_SMTP_URL needs HOSTKEEP_MAIL_FROM, which takes ${SETTINGS.mailFrom.takes}`,
    );
  if (
    new Set([config.s3Url, config.s3AccessKey, config.s3SecretKey].map((one) => one === undefined)).size > 1
  )
    throw new ConfigError(
      'HOSTKEEP_S3_URL, HOSTKEEP_S3_ACCESS_KEY and HOSTKEEP_S3_SECRET_KEY need each other',
    );
  if ((config.stripeKey === undefined) !== (config.stripeWebhookSecret === undefined))
    throw new ConfigError('HOSTKEEP_STRIPE_KEY and HOSTKEEP_STRIPE_WEBHOOK_SECRET need each other');
  if ((config.powerdnsUrl === undefined) !== (config.powerdnsKey === undefined))
    throw new ConfigError('HOSTKEEP_POWERDNS_URL and HOSTKEEP_POWERDNS_KEY need each other');
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
  const got = setting.secret || setting.variable.includes('URL') ? 'something else' : JSON.stringify(value);
  throw new ConfigError(`${name} takes ${setting.takes}, but got ${got}`);
}
