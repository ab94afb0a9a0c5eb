import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { ContactExtensionSettings } from './contact-extension-settings.ts';
import { DEFAULT_PAUSE } from './line.ts';
import { ownProtocolOf } from './own-protocol.ts';
import { DEFAULT_PROFILE, EXTENSIONS, type Profile } from './profile.ts';
import type { Refused } from './refusal.ts';
import { EppRegistrar } from './registrar.ts';
import type { Exchange } from './session-options.ts';
import { DEFAULT_FRAME_LIMIT } from './wire/frame.ts';

const milliseconds = z.int().min(1).max(3_600_000);
const path = z.string().min(1);

/** A profile in part: what is left out is as the connection has it, or as is usual. */
const ProfilePart = z.strictObject({
  hosts: z.enum(['objects', 'attributes']).optional(),
  registrant: z.boolean().optional(),
  contacts: z.array(z.enum(['admin', 'tech', 'billing'])).optional(),
  postal: z.enum(['int', 'loc', 'auto']).optional(),
  disclose: z.boolean().optional(),
  contact_extension: ContactExtensionSettings.nullable().optional(),
  extensions: z.array(z.enum(EXTENSIONS)).optional(),
  restore_report: z.boolean().optional(),
  claims: z.boolean().optional(),
  check_batch: z.int().min(1).max(1_000).optional(),
});

const Connection = z
  .strictObject({
    driver: z.literal('epp'),
    host: z.string().min(1),
    port: z.int().min(1).max(65_535).default(700),
    client_id: z.string().min(3).max(16),
    password: z.string().min(6).optional(),
    password_file: path.optional(),
    tls: z
      .strictObject({
        ca: path.optional(),
        cert: path.optional(),
        key: path.optional(),
        passphrase_file: path.optional(),
        server_name: z.string().min(1).optional(),
      })
      .default({}),
    /** Without, the catalogue's. */
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional(),
    /** Whether it speaks EPP also for registries that do not. */
    gateway: z.boolean().default(false),
    /** Two, so that nobody who searches waits for somebody's order. */
    sessions: z.int().min(1).max(20).default(2),
    pipelining: z.int().min(1).max(20).default(1),
    greeting_ms: milliseconds.default(10_000),
    answer_ms: milliseconds.default(30_000),
    keep_alive_ms: milliseconds.default(240_000),
    frame_limit: z
      .int()
      .min(4_096)
      .max(64 * 1024 * 1024)
      .default(DEFAULT_FRAME_LIMIT),
    profile: ProfilePart.default({}),
    tlds: z.record(z.string(), ProfilePart).default({}),
  })
  .refine((one) => (one.password === undefined) !== (one.password_file === undefined), {
    error: 'takes either password or password_file',
  })
  .refine(({ tls }) => (tls.cert === undefined) === (tls.key === undefined), {
    error: 'takes tls.cert and tls.key together',
  })
  .superRefine(({ gateway, tlds }, ctx) => {
    for (const tld of Object.keys(tlds)) {
      const message = gateway ? null : plainObjection(tld);
      if (message !== null) ctx.addIssue({ code: 'custom', path: ['tlds', tld], message });
    }
  });

const RegistriesFile = z.strictObject({
  registries: z.record(z.string().regex(/^[a-z0-9_-]+$/), Connection),
});

export interface ConnectionsOptions {
  readonly clock: Clock;
  /** The catalogue's. */
  readonly currency: () => string;
  /** Hears of every command: its name, ids, code and time, never what is in it. */
  readonly onExchange: (registry: string, exchange: Exchange) => void;
  readonly onRefusal: (registry: string, refusal: Refused) => void;
}

/**
 * The registry connections that a file describes (YAML), by the names that the catalogue calls them; paths in it are
 * relative to it. Nothing is connected yet. Throws an Error that says what is wrong, without any of the values.
 */
export function eppConnections(file: string, options: ConnectionsOptions): ReadonlyMap<string, EppRegistrar> {
  const read = (name: string) => readFileSync(resolve(dirname(file), name), 'utf8');
  const reading = RegistriesFile.safeParse(readYaml(read(resolve(file)), file));
  if (!reading.success) throw new Error(`${file}: ${z.prettifyError(reading.error)}`);
  return new Map(
    Object.entries(reading.data.registries).map(([name, connection]) => [
      name,
      open(name, connection, read, options),
    ]),
  );
}

/** Without the source that is usually shown beside a mistake: a password may be in it. */
function readYaml(text: string, file: string): unknown {
  try {
    return parse(text, { schema: 'core', prettyErrors: false });
  } catch (error) {
    throw new Error(`${file} is no YAML: ${(error as Error).message}`);
  }
}

function open(
  name: string,
  connection: z.output<typeof Connection>,
  read: (path: string) => string,
  { clock, currency, onExchange, onRefusal }: ConnectionsOptions,
): EppRegistrar {
  const { tls, password, password_file } = connection;
  const optional = (file: string | undefined) => (file === undefined ? undefined : read(file));
  const passphrase = optional(tls.passphrase_file)?.trim();
  const [ca, cert, key] = [optional(tls.ca), optional(tls.cert), optional(tls.key)];
  return new EppRegistrar({
    name,
    host: connection.host,
    port: connection.port,
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(tls.server_name === undefined ? {} : { servername: tls.server_name }),
    },
    clientId: connection.client_id,
    password: password ?? optional(password_file)?.trim() ?? '',
    vocabularies: new Set(['domain', 'contact', 'host', 'loginSec', 'unhandled', ...EXTENSIONS]),
    currency: () => connection.currency ?? currency(),
    profileOf: profiles(connection),
    objectionTo: connection.gateway ? () => null : plainObjection,
    ownExtensions: ownExtensionsOf(connection),
    sessions: connection.sessions,
    pipelining: connection.pipelining,
    greetingMs: connection.greeting_ms,
    answerMs: connection.answer_ms,
    keepAliveMs: connection.keep_alive_ms,
    frameLimit: connection.frame_limit,
    pause: DEFAULT_PAUSE,
    clock,
    onExchange: (exchange) => onExchange(name, exchange),
    onRefusal: (refusal) => onRefusal(name, refusal),
  });
}

/** Why a connection that is no gateway does not register names under a TLD; null: nothing is known against it. */
function plainObjection(tld: string): string | null {
  const spoken = ownProtocolOf(tld);
  return spoken === null
    ? null
    : `the registry of .${tld} speaks ${spoken}, which this driver does not: it takes a gateway that speaks EPP as in RFC 5730 to 5733, and \`gateway: true\``;
}

function ownExtensionsOf({ profile, tlds }: z.output<typeof Connection>): ReadonlySet<string> {
  const parts = [profile, ...Object.values(tlds)];
  return new Set(parts.flatMap(({ contact_extension: own }) => (own == null ? [] : [own.namespace])));
}

function profiles({ profile, tlds }: z.output<typeof Connection>): (tld: string) => Profile {
  const general = profileOf(profile, DEFAULT_PROFILE);
  const own = new Map(Object.entries(tlds).map(([tld, part]) => [tld, profileOf(part, general)]));
  return (tld) => own.get(tld) ?? general;
}

function profileOf(part: z.output<typeof ProfilePart>, base: Profile): Profile {
  return {
    hosts: part.hosts ?? base.hosts,
    registrant: part.registrant ?? base.registrant,
    contacts: part.contacts ?? base.contacts,
    postal: part.postal ?? base.postal,
    disclose: part.disclose ?? base.disclose,
    extensions: part.extensions === undefined ? base.extensions : new Set(part.extensions),
    restoreReport: part.restore_report ?? base.restoreReport,
    claims: part.claims ?? base.claims,
    contactExtension: part.contact_extension === undefined ? base.contactExtension : part.contact_extension,
    checkBatch: part.check_batch ?? base.checkBatch,
  };
}
