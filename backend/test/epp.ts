import { newAuthority, newCertificate, type Validity } from '../src/base/certificate.ts';
import type { Clock } from '../src/base/clock.ts';
import type { Pool } from '../src/db/pool.ts';
import { DEFAULT_PROFILE, EXTENSIONS } from '../src/drivers/registry/epp/profile.ts';
import { EppRegistrar, type EppRegistrarOptions } from '../src/drivers/registry/epp/registrar.ts';
import { openEppServer } from '../src/drivers/registry/sandbox/epp/server.ts';
import { Repository } from '../src/drivers/registry/sandbox/repository.ts';
import { openEppProxy } from './epp-proxy.ts';

const VALID: Validity = {
  from: Temporal.Instant.from('2020-01-01T00:00:00Z'),
  until: Temporal.Instant.from('2100-01-01T00:00:00Z'),
};
const EXPIRED: Validity = { ...VALID, until: Temporal.Instant.from('2021-01-01T00:00:00Z') };

const authority = newAuthority('Test registry', VALID);

/** A client's certificate, or a server's where it has names. */
export function eppCertificate(commonName: string, names: readonly string[] = [], expired = false) {
  return newCertificate({ commonName, names, validity: expired ? EXPIRED : VALID, authority });
}

export const trusted = authority.cert;
const server = eppCertificate('registry', ['127.0.0.1', 'localhost']);
export const clients = { hostkeep: eppCertificate('hostkeep'), rival: eppCertificate('rival') };
export type Registrar = keyof typeof clients;

/** The options of a connection to an EPP server on this machine, as one of the sandbox's registrars. */
export function eppOptions(
  registrar: Registrar,
  { port, clock }: { port: number; clock: Clock },
  own: Partial<EppRegistrarOptions> = {},
): EppRegistrarOptions {
  return {
    name: 'epp',
    host: '127.0.0.1',
    port,
    tls: { ca: authority.cert, ...clients[registrar] },
    clientId: registrar,
    password: `${registrar}-sandbox`,
    vocabularies: new Set(['domain', 'contact', 'host', 'loginSec', 'unhandled', ...EXTENSIONS]),
    currency: () => 'EUR',
    profileOf: () => DEFAULT_PROFILE,
    objectionTo: () => null,
    ownExtensions: new Set(),
    sessions: 1,
    pipelining: 1,
    greetingMs: 5_000,
    answerMs: 5_000,
    keepAliveMs: 300_000,
    frameLimit: 1024 * 1024,
    pause: { firstMs: 0, longestMs: 0, rejectedMs: 0 },
    onExchange: () => {},
    onRefusal: () => {},
    clock,
    ...own,
  };
}

/** The sandbox registry behind EPP, and a proxy before it that keeps the frames and can lose them. */
export async function openEpp(db: Pool, clock: Clock) {
  const registry = await openEppServer({
    registry: new Repository({ db, clock }),
    clock,
    tls: { ...server, ca: authority.cert },
    onError: (error) => {
      throw error;
    },
  });
  const proxy = await openEppProxy(registry.port, { authority: authority.cert, server, clients });
  const drivers: EppRegistrar[] = [];
  return {
    port: registry.port,
    proxy,
    /** A driver that speaks to the registry through the proxy. */
    connect(registrar: Registrar, own: Partial<EppRegistrarOptions> = {}): EppRegistrar {
      const driver = new EppRegistrar(eppOptions(registrar, { port: proxy.port, clock }, own));
      drivers.push(driver);
      return driver;
    },
    async close() {
      await Promise.all(drivers.map((driver) => driver.close()));
      await proxy.close();
      await registry.close();
    },
  };
}
