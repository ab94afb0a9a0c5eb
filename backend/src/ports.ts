import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Clock, systemClock } from './base/clock.ts';
import type { Catalog } from './business/core/catalog/schema/schema.ts';
import { AVAILABILITY_ONLY } from './business/core/catalog/schema/tld.ts';
import type { CatalogStore } from './business/core/catalog/versions.ts';
import { type Config, ConfigError } from './config.ts';
import { APPLICATION_ROLE } from './db/migrate.ts';
import { Pool } from './db/pool.ts';
import { InternetDelegation } from './drivers/dns/delegation/internet.ts';
import { SandboxDelegation } from './drivers/dns/delegation/sandbox.ts';
import { SandboxDns } from './drivers/dns/sandbox/dns.ts';
import { SandboxNameServer } from './drivers/dns/sandbox/name-server.ts';
import type { HypervisorConnections } from './drivers/hypervisor/connections.ts';
import type { Hypervisor } from './drivers/hypervisor/port.ts';
import type { ProxmoxConnection } from './drivers/hypervisor/proxmox/connection.ts';
import type { ImageBuilder } from './drivers/hypervisor/qemu/base-image/builder.ts';
import type { QemuConnection } from './drivers/hypervisor/qemu/connection.ts';
import { routedHypervisor } from './drivers/hypervisor/routing.ts';
import { SandboxHypervisor } from './drivers/hypervisor/sandbox/hypervisor.ts';
import { MaildirInbox } from './drivers/inbox/maildir/inbox.ts';
import type { Inbox } from './drivers/inbox/port.ts';
import type { MailConnection } from './drivers/mail/port.ts';
import { SandboxMailer } from './drivers/mail/sandbox/mail.ts';
import { transferInstructions } from './drivers/payment/bank/transfer.ts';
import { BANK, type PaymentProvider } from './drivers/payment/port.ts';
import { routedPayments } from './drivers/payment/routing.ts';
import { SandboxPayments } from './drivers/payment/sandbox/payments.ts';
import type { CommandPorts, QueryPorts } from './drivers/ports.ts';
import { mappingObjections, untoldFields } from './drivers/registry/epp/mapped-tld.ts';
import type { EppRegistrar } from './drivers/registry/epp/registrar.ts';
import type { RegistryDriver } from './drivers/registry/port.ts';
import { RdapRegistry } from './drivers/registry/rdap/registry.ts';
import { RoutedRegistries } from './drivers/registry/routing.ts';
import type { EppServer } from './drivers/registry/sandbox/epp/server.ts';
import { SandboxRegistry } from './drivers/registry/sandbox/registry.ts';
import { Rival } from './drivers/registry/sandbox/rival.ts';
import { DnsResolver } from './drivers/resolver/dns/resolver.ts';
import { SandboxResolver } from './drivers/resolver/sandbox/resolver.ts';
import { DiskStorage } from './drivers/storage/disk/storage.ts';
import type { StorageConnection } from './drivers/storage/port.ts';
import { SandboxVatRegister } from './drivers/vat/sandbox/register.ts';
import { ViesRegister } from './drivers/vat/vies/register.ts';
import type { LinuxConnection } from './drivers/webserver/linux/connection.ts';
import type { Webserver } from './drivers/webserver/port.ts';
import { routedWebserver } from './drivers/webserver/routing.ts';
import { SandboxWebserver } from './drivers/webserver/sandbox/webserver.ts';
import { InternetWhois } from './drivers/whois/internet/directory.ts';
import { RememberedWhois } from './drivers/whois/remembered.ts';
import { SandboxWhois } from './drivers/whois/sandbox/whois.ts';
import type { Installation } from './installation.ts';

/** For the names of servers that are asked for something else. */
const RESOLVE_DEADLINE_MS = 3_000;

export interface OpenPorts extends CommandPorts {
  /** The sandbox's name server, opened by whoever serves; null: zones are elsewhere, or it is off. */
  readonly nameServer: SandboxNameServer | null;
  /** What keeps the operator's name server from serving our zones, or null. */
  dnsProblem(): Promise<string | null>;
  /** The hosts of webspaces that are configured, for who prepares them; null: none are. */
  readonly linux: LinuxConnection | null;
  /** The hypervisor connections that drive QEMU, for who gives them images. */
  readonly qemu: ReadonlyMap<string, QemuConnection>;
  /** Those to clusters of Proxmox VE. */
  readonly proxmox: ReadonlyMap<string, ProxmoxConnection>;
  readonly storage: StorageConnection;
  /** The registries that are configured, by the catalogue's names for them. */
  readonly eppRegistries: ReadonlyMap<string, EppRegistrar>;
  /** Where mail for tickets comes in: none, or several. They are opened by whoever runs jobs. */
  readonly inboxes: readonly Inbox[];
  readonly delegation: QueryPorts['delegation'];
  readonly resolver: QueryPorts['resolver'];
  readonly whois: QueryPorts['whois'];
  readonly mail: MailConnection;
  /** For who plays the customer's bank. */
  readonly sandboxPayments: SandboxPayments;
  /** For who plays the other registrar. */
  readonly rival: Rival;
  close(): Promise<void>;
}

/**
 * Opens the back ends that the catalogue's names refer to. The one place that knows drivers by name; what comes with
 * a large library is loaded only where it is used.
 */
export async function openPorts(
  { config, url, clock, log, sealer, outbound }: Installation,
  catalogs: CatalogStore,
): Promise<OpenPorts> {
  // The sandbox stands for another system: its own connections, its own commits.
  const sandboxPool = new Pool({ url, size: 2, name: 'hostkeep-sandbox', role: APPLICATION_ROLE });
  // A registry's commands wait for one another; nothing else of the sandbox is to wait with them.
  const registryPool = new Pool({ url, size: 4, name: 'hostkeep-sandbox', role: APPLICATION_ROLE });
  const { qemu, proxmox } = await openHypervisorsFile(config, clock);
  const hypervisor = routedHypervisor({
    connectionOf: (host) => catalogs.current().hosts.get(host)?.hypervisor ?? null,
    connections: new Map<string, Hypervisor>([
      ['sandbox', new SandboxHypervisor({ db: sandboxPool, clock })],
      ...[...qemu, ...proxmox].map(([name, connection]) => [name, connection.hypervisor] as const),
    ]),
  });
  const linux = await openWebHosts(config, clock, log);
  const webserver = routedWebserver({
    connectionOf: (host) => catalogs.current().webHosts.get(host)?.webserver ?? null,
    connections: new Map<string, Webserver>([
      ['sandbox', new SandboxWebserver({ db: sandboxPool, clock })],
      ...(linux === null ? [] : [['linux', linux.webserver] as const]),
    ]),
  });
  const resolver = openResolver(config, sandboxPool);
  const directory = openDirectory(config, { clock, resolver });
  const currency = () => catalogs.current().content.currency;
  const eppRegistries = await openEppRegistries(config, { clock, log, currency });
  const registries = new Map<string, RegistryDriver>([
    ...eppRegistries,
    ['sandbox', new SandboxRegistry({ db: registryPool, clock, currency })],
    [AVAILABILITY_ONLY, openRdapRegistry(config, directory)],
  ]);
  const registry = new RoutedRegistries(registries, {
    deadlineMs: config.checkDeadlineMs,
    onFailure: (failure) => log.warn({ err: failure }, 'a registry left names without an answer'),
  });
  const vat = config.vatRegister === 'vies' ? new ViesRegister(config.viesUrl) : new SandboxVatRegister();
  const mail = await openMailer(config, { db: sandboxPool, clock });
  const sandboxPayments = new SandboxPayments({
    db: sandboxPool,
    clock,
    secret: sealer.digest('sandbox-payment-webhooks', ''),
  });
  return {
    outbound,
    ...(await openDns(config, { db: sandboxPool, clock, log })),
    hypervisor,
    qemu,
    proxmox,
    webserver,
    linux,
    payment: await openPayments(config, sandboxPayments, catalogs),
    sandboxPayments,
    rival: new Rival({ db: registryPool, clock, currency }),
    eppRegistries,
    registry,
    delegation:
      config.resolvers.length === 0 ? new SandboxDelegation() : new InternetDelegation({ resolver }),
    resolver,
    whois: new RememberedWhois(directory, { clock }),
    vat,
    mail,
    storage: await openStorage(config),
    inboxes: await openInboxes(config, log),
    async close() {
      mail.close();
      await linux?.close();
      await Promise.all([...qemu.values(), ...proxmox.values()].map((connection) => connection.close()));
      await Promise.all([...eppRegistries.values()].map((driver) => driver.close()));
      await Promise.all([sandboxPool.end(), registryPool.end()]);
    },
  };
}

/** The operator's PowerDNS; without one, the sandbox. */
async function openDns(
  { powerdnsUrl: url, powerdnsKey: key, powerdnsTsigKey, powerdnsCatalog, nameservers, sandboxDns }: Config,
  { db, clock, log }: { db: Pool; clock: Clock; log: Installation['log'] },
): Promise<Pick<OpenPorts, 'dns' | 'dnsProblem' | 'nameServer'>> {
  if (url !== undefined && key !== undefined) {
    const { PowerDns } = await import('./drivers/dns/powerdns/dns.ts');
    const { powerDnsProblem } = await import('./drivers/dns/powerdns/problem.ts');
    const secondaries = { tsigKey: powerdnsTsigKey ?? null, catalog: powerdnsCatalog ?? null };
    return {
      dns: new PowerDns({ url, key, clock, nameservers, ...secondaries }),
      dnsProblem: () => powerDnsProblem({ url, key }),
      nameServer: null,
    };
  }
  const dnsProblem = async () => null;
  if (sandboxDns === 'off')
    return { dns: new SandboxDns({ db, clock, server: null }), dnsProblem, nameServer: null };
  const nameServer = new SandboxNameServer(sandboxDns ?? null, {
    db,
    clock,
    onError: (error) => log.warn({ err: error }, "the sandbox's name server could not answer"),
    onTaken: (error) =>
      log.warn(
        { err: error, ...sandboxDns },
        "another answers where the sandbox's name server would (HOSTKEEP_SANDBOX_DNS)",
      ),
  });
  return { dns: new SandboxDns({ db, clock, server: 'registered' }), dnsProblem, nameServer };
}

/** A bucket, if there is one; else below the data directory. */
export async function openStorage({
  data,
  s3Url: bucketUrl,
  s3Region: region,
  s3AccessKey: accessKey,
  s3SecretKey: secretKey,
}: Config): Promise<StorageConnection> {
  if (bucketUrl === undefined || accessKey === undefined || secretKey === undefined) return filesIn(data);
  const { S3Storage } = await import('./drivers/storage/s3/storage.ts');
  return new S3Storage({ bucketUrl, region, accessKey, secretKey });
}

/** The files that a directory holds, an installation's or a backup's. */
export function filesIn(directory: string): DiskStorage {
  return new DiskStorage(join(resolve(directory), 'files'));
}

async function openInboxes(
  { inboxMaildir: directory, inboxLmtp: listen, inboxAuthserv, inboxHops: hops }: Config,
  log: Installation['log'],
): Promise<Inbox[]> {
  const trust = { authserv: inboxAuthserv ?? null, hops };
  const onFailure = (failure: unknown) => log.warn({ err: failure }, 'mail for tickets could not be taken');
  const inboxes: Inbox[] = [];
  if (directory !== undefined) inboxes.push(new MaildirInbox({ directory, trust, onFailure }));
  if (listen !== undefined) {
    const { LmtpInbox } = await import('./drivers/inbox/lmtp/inbox.ts');
    inboxes.push(new LmtpInbox({ listen, trust, onFailure }));
  }
  return inboxes;
}

/** The operator's hypervisors, if there are any, by the names of their connections. */
async function openHypervisorsFile(
  { hypervisorsFile, data }: Config,
  clock: Clock,
): Promise<HypervisorConnections> {
  if (hypervisorsFile === undefined) return { qemu: new Map(), proxmox: new Map() };
  const { openHypervisors } = await import('./drivers/hypervisor/connections.ts');
  return openHypervisors(hypervisorsFile, { controlDirectory: join(resolve(data), 'ssh'), clock });
}

/** The operator's hosts of webspaces, if there are any. */
async function openWebHosts(
  { webHostsFile, data }: Config,
  clock: Clock,
  log: Installation['log'],
): Promise<LinuxConnection | null> {
  if (webHostsFile === undefined) return null;
  const { linuxConnection } = await import('./drivers/webserver/linux/connection.ts');
  return linuxConnection(readFileSync(webHostsFile, 'utf8'), {
    clock,
    controlDirectory: join(resolve(data), 'ssh'),
    report: (audit) => log.info({ plan: audit.plan, steps: audit.steps }, 'a plan was carried out'),
  });
}

/** Nothing is connected before a registry is needed. */
async function openEppRegistries(
  { registriesFile: file }: Config,
  {
    clock,
    log,
    currency,
  }: { clock: Clock; log: Pick<Installation['log'], 'debug' | 'info'>; currency: () => string },
): Promise<ReadonlyMap<string, EppRegistrar>> {
  if (file === undefined) return new Map();
  const { eppConnections } = await import('./drivers/registry/epp/connections.ts');
  try {
    return eppConnections(file, {
      clock,
      currency,
      onExchange: (registry, exchange) => log.debug({ registry, ...exchange }, 'a registry answered'),
      onRefusal: (registry, { reason, message }) =>
        log.info({ registry, reason, words: message }, 'a registry refused'),
    });
  } catch (error) {
    throw new ConfigError(`HOSTKEEP_REGISTRIES_FILE: ${(error as Error).message}`);
  }
}

/** What is wrong with the TLDs that the opened catalogue maps to the operator's registries. */
export function mappingProblems({ eppRegistries }: Pick<OpenPorts, 'eppRegistries'>, catalogs: CatalogStore) {
  const tlds = catalogs.known()?.content.tlds ?? [];
  return { unserved: mappingObjections(tlds, eppRegistries), untold: untoldFields(tlds, eppRegistries) };
}

/** Nobody sells TLDs that nothing can ever be registered under. Throws {@link ConfigError}. */
export function refuseMappings(ports: Pick<OpenPorts, 'eppRegistries'>, catalogs: CatalogStore): void {
  const { unserved } = mappingProblems(ports, catalogs);
  if (unserved.length === 0) return;
  const what = 'the catalogue maps TLDs to connections of HOSTKEEP_REGISTRIES_FILE that cannot serve them';
  throw new ConfigError([what, ...unserved].join('\n'));
}

/** What a catalogue maps to the operator's registries that they cannot serve; empty: nothing. None is connected to. */
export async function unservedMappings(
  config: Config,
  { tlds, currency }: Catalog,
): Promise<readonly string[]> {
  const log = { debug() {}, info() {} };
  const connections = await openEppRegistries(config, { clock: systemClock, log, currency: () => currency });
  return mappingObjections(tlds, connections);
}

/** The sandbox registry for whoever speaks EPP. */
export async function openSandboxEpp(
  { url, clock, log }: Installation,
  catalogs: CatalogStore,
  place: { host: string; port: number; directory: string; make: boolean },
): Promise<EppServer> {
  const { openEppFace } = await import('./drivers/registry/sandbox/epp/face.ts');
  const currency = () => catalogs.current().content.currency;
  const onError = (error: unknown) => log.error({ err: error }, 'a command over EPP failed');
  return await openEppFace({ url, clock, currency, ...place, onError });
}

/** Public resolvers that the operator names; without any, names are the sandbox's. */
function openResolver({ resolvers }: Config, sandbox: Pool): QueryPorts['resolver'] {
  return resolvers.length === 0 ? new SandboxResolver(sandbox) : new DnsResolver(resolvers);
}

/** Registries on the Internet are found through the operator's resolvers, or else through the machine's. */
function openDirectory(
  { whois, resolvers }: Config,
  { clock, resolver }: { clock: Clock; resolver: QueryPorts['resolver'] },
): QueryPorts['whois'] {
  const resolve = (host: string) => resolver.addresses(host, RESOLVE_DEADLINE_MS);
  const outbound = resolvers.length === 0 ? {} : { resolve };
  return whois === 'internet' ? new InternetWhois({ clock, outbound }) : new SandboxWhois({ clock });
}

/** Asks as the directory does, within the time that registries have for an answer. */
function openRdapRegistry({ checkDeadlineMs }: Config, directory: QueryPorts['whois']): RegistryDriver {
  return new RdapRegistry(async (name) => {
    const { registered } = await directory.lookup({ type: 'domain', name }, 'rdap', checkDeadlineMs);
    return registered;
  });
}

/** The operator's mail server; without one, mails stay in the sandbox. */
async function openMailer(
  { smtp, mailFrom }: Config,
  sandbox: { db: Pool; clock: Clock },
): Promise<MailConnection> {
  if (smtp === undefined || mailFrom === undefined) return new SandboxMailer(sandbox);
  const { SmtpMailer } = await import('./drivers/mail/smtp/mail.ts');
  return new SmtpMailer({ server: smtp, from: mailFrom });
}

/** What builds images of servers on this machine. */
export async function openImageBuilder(): Promise<ImageBuilder> {
  const { localImageBuilder } = await import('./drivers/hypervisor/qemu/base-image/builder.ts');
  return localImageBuilder();
}

/** A provider of payments for real money. */
interface PaymentDriver {
  /** The way to pay that it is, in the interface's words. */
  readonly method: string;
  isConfigured(config: Config): boolean;
  open(config: Config): Promise<PaymentProvider>;
}

/** Every provider of payments, in the order that customers are offered them. One that is added is named here alone. */
const PAYMENT_DRIVERS: readonly PaymentDriver[] = [
  {
    method: 'stripe',
    // Never without the other, which the configuration sees to.
    isConfigured: ({ stripeKey }) => stripeKey !== undefined,
    async open({ stripeKey: key = '', stripeWebhookSecret: webhookSecret = '' }) {
      const { StripePayments } = await import('./drivers/payment/stripe/payments.ts');
      return new StripePayments({ key, webhookSecret });
    },
  },
];

/** Whether a provider of payments is set up, and customers pay with real money. */
export function takesRealMoney(config: Config): boolean {
  return PAYMENT_DRIVERS.some((driver) => driver.isConfigured(config));
}

/**
 * The ways to pay. Play money never stands beside real money: anyone could buy with it. So the sandbox needs the
 * catalogue to ask for it, and is gone as soon as a provider is set up.
 */
async function openPayments(
  config: Config,
  sandbox: SandboxPayments,
  catalogs: CatalogStore,
): Promise<CommandPorts['payment']> {
  const providers = new Map<string, PaymentProvider>();
  for (const driver of PAYMENT_DRIVERS)
    if (driver.isConfigured(config)) providers.set(driver.method, await driver.open(config));
  if (providers.size === 0) providers.set('sandbox', sandbox);
  const seller = () => catalogs.current().content.seller;
  return routedPayments({
    providers,
    offers: (method) => {
      if (method === BANK) return seller()?.iban !== undefined;
      return method !== 'sandbox' || catalogs.current().content.topup.sandbox;
    },
    transferInstructions: async (order) => {
      const { iban, bic, bank, name } = seller() ?? {};
      if (iban === undefined || name === undefined) return null;
      const account = { iban, bic: bic ?? null, bank: bank ?? null, beneficiary: name };
      return await transferInstructions(account, order);
    },
  });
}
