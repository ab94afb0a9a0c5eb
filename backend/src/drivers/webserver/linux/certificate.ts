import { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import * as acme from 'acme-client';
import type { Instant } from '../../../base/time.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { Certificate } from '../port.ts';
import { certificatePaths } from './certificate-files.ts';
import type { Host } from './host.ts';
import { PlanRefused } from './plan.ts';
import { renewalInfo } from './renewal-info.ts';
import type { HostSettings } from './settings.ts';

type Authority = NonNullable<HostSettings['acme']>;

const LOOKUP_MS = 5_000;
const LONGEST_COMMON_NAME = 64;
const NOTHING: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

/** The certificate of a host name that is there, and what its authority says of it now; null: there is none. */
export async function findCertificate(host: Host, hostname: string): Promise<Certificate | null> {
  const pem = await readCertificate(host, hostname);
  if (pem === null) return null;
  const { validFrom, validTo } = new X509Certificate(pem);
  const [from, to] = [validFrom, validTo].map((text) => new Date(text).getTime());
  if (from === undefined || to === undefined) return null;
  const { acme: authority } = host.settings;
  const suggested = authority === null ? null : await renewalInfo(authority.directory, pem);
  const twoThirds = Temporal.Instant.fromEpochMilliseconds(Math.floor(from + ((to - from) * 2) / 3));
  return {
    expireAt: Temporal.Instant.fromEpochMilliseconds(to),
    renewAt: suggested?.renewAt ?? twoThirds,
  };
}

async function readCertificate(host: Host, hostname: string): Promise<string | null> {
  const held = await host.read(certificatePaths(host, hostname).file);
  const chain = held?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  return chain.length === 0 ? null : chain.join('');
}

export function isCurrent(found: Certificate | null, now: Instant): found is Certificate {
  return found !== null && Temporal.Instant.compare(found.renewAt, now) > 0;
}

/**
 * Orders a certificate by HTTP-01 (RFC 8555 §8.3) and puts it in place. Refuses before anything is ordered when the
 * name does not lead to this host or its CAA records name another authority (rule H4): the authority counts failures.
 */
export async function orderCertificate(host: Host, hostname: string): Promise<void> {
  const authority = host.settings.acme;
  if (authority === null) throw new PlanRefused('this host orders no certificates');
  await checkNames(authority, host.settings.addresses, hostname);
  const known = await readCertificate(host, hostname);
  const replaced = known === null ? null : await renewalInfo(authority.directory, known);
  const client = new ReplacingClient(replaced?.certificateId ?? null, {
    directoryUrl: authority.directory,
    accountKey: await accountKey(host),
    backoffAttempts: 10,
    backoffMin: 500,
    backoffMax: 5_000,
  });
  // A common name has no room for more (RFC 5280, ub-common-name), and nobody looks at it any more.
  const common = hostname.length <= LONGEST_COMMON_NAME ? { commonName: hostname } : {};
  const [key, request] = await acme.crypto.createCsr({ ...common, altNames: [hostname] });
  const tokenPath = (token: string) => {
    if (!/^[A-Za-z0-9_-]{1,200}$/.test(token)) throw new Error('a challenge that is none');
    return `${host.settings.etc}/acme/.well-known/acme-challenge/${token}`;
  };
  let chain: string;
  try {
    chain = await client.auto({
      csr: request,
      email: authority.contact,
      termsOfServiceAgreed: true,
      challengePriority: ['http-01'],
      // The authority looks by itself; from here the name may look different.
      skipChallengeVerification: true,
      challengeCreateFn: (_authorization, challenge, answer) =>
        host.write(tokenPath(challenge.token), answer, '0644'),
      challengeRemoveFn: (_authorization, challenge) => host.remove(tokenPath(challenge.token)),
    });
  } catch (error) {
    if (isRefusal(error)) throw new PlanRefused(`the authority refused: ${(error as Error).message}`);
    throw new BackendUnavailable('certificate authority', error);
  }
  const paths = certificatePaths(host, hostname);
  await host.run(['install', '-d', '-m', '0700', paths.directory]);
  await host.write(paths.file, `${chain.trimEnd()}\n${key.toString()}`, '0600');
}

/** Orders say which certificate they replace (RFC 9773 §5): such an order does not count against the authority's limits. */
class ReplacingClient extends acme.Client {
  readonly #replaces: string | null;

  constructor(replaces: string | null, options: ConstructorParameters<typeof acme.Client>[0]) {
    super(options);
    this.#replaces = replaces;
  }

  override createOrder(order: Parameters<acme.Client['createOrder']>[0]): Promise<acme.Order> {
    const replacing = { ...order, replaces: this.#replaces };
    return super.createOrder(this.#replaces === null ? order : replacing);
  }
}

/** What the authority said, rather than that it could not be reached. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('response' in error || 'code' in error) return false;
  return /invalid|urn:ietf|CAA|rejected|denied|limit/i.test(error.message);
}

async function accountKey(host: Host): Promise<string> {
  const path = `${host.settings.etc}/tls/account.pem`;
  return await host.inTurn('acme account', async () => {
    const known = await host.read(path);
    if (known !== null) return known;
    const made = (await acme.crypto.createPrivateEcdsaKey()).toString();
    await host.write(path, made, '0600');
    return made;
  });
}

async function checkNames(
  { nameServers, caaIdentities }: Authority,
  addresses: readonly string[],
  hostname: string,
): Promise<void> {
  const resolver = new Resolver({ timeout: LOOKUP_MS, tries: 2 });
  if (nameServers.length > 0) resolver.setServers([...nameServers]);
  const [ipv4, ipv6] = await Promise.all([
    found(resolver.resolve4(hostname)),
    found(resolver.resolve6(hostname)),
  ]);
  const here = new Set(addresses);
  const all = [...ipv4, ...ipv6];
  if (all.length === 0) throw new PlanRefused(`${hostname} has no address`);
  const elsewhere = all.filter((address) => !here.has(address));
  if (elsewhere.length > 0)
    throw new PlanRefused(`${hostname} leads elsewhere as well: ${elsewhere.slice(0, 3).join(', ')}`);
  // RFC 8659 §3: the first name upwards that has any CAA records decides.
  const labels = hostname.split('.');
  for (let at = 0; at < labels.length; at += 1) {
    const records = await found(resolver.resolveCaa(labels.slice(at).join('.')));
    if (records.length === 0) continue;
    const issuers = records.flatMap(({ issue }) =>
      issue === undefined ? [] : [issue.split(';')[0]?.trim() ?? ''],
    );
    if (issuers.length > 0 && !issuers.some((issuer) => caaIdentities.includes(issuer)))
      throw new PlanRefused(`CAA records of ${labels.slice(at).join('.')} allow other authorities only`);
    return;
  }
}

async function found<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING.has(String(error.code))) return [];
    throw new BackendUnavailable('name servers', error);
  }
}
