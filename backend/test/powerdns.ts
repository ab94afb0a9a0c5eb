// Needs: nameservers

import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerAddress } from '../src/base/name-server.ts';
import { installed } from './dig.ts';

export interface NameServers {
  readonly primary: ServerAddress;
  readonly secondary: ServerAddress;
  readonly api: { readonly url: string; readonly key: string };
  readonly tsigKey: string;
  readonly catalog: string;
  stop(): Promise<void>;
}

const SCHEMA = '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql';
const DNS_PORT = 5_300;
const API_PORT = 5_380;
const TSIG_KEY = 'transfer';
const CATALOG = 'catalog.invalid';

/**
 * PowerDNS as primary and Knot DNS as its secondary, which takes its list of zones from a catalog zone and the zones by
 * transfers with TSIG. Both are children of this process, below a temporary directory, on loopback addresses of their
 * own (each machine has 16 million of them), so that no port can be another's.
 */
export async function startNameServers(): Promise<NameServers> {
  const folder = await mkdtemp(join(tmpdir(), 'hostkeep-dns-'));
  const network = `127.${randomInt(64, 255)}.${randomInt(256)}`;
  const primary = { address: `${network}.1`, port: DNS_PORT };
  const secondary = { address: `${network}.2`, port: DNS_PORT };
  const api = { url: `http://${primary.address}:${API_PORT}`, key: randomBytes(16).toString('hex') };
  const secret = randomBytes(32).toString('base64');
  const running: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const program of running.toReversed()) await program.stop();
    await rm(folder, { recursive: true });
  };
  try {
    running.push(await startPowerDns(folder, { primary, secondary, key: api.key }));
    await fetch(`${api.url}/api/v1/servers/localhost/tsigkeys`, {
      method: 'POST',
      headers: { 'X-API-Key': api.key },
      body: JSON.stringify({ name: TSIG_KEY, algorithm: 'hmac-sha256', key: secret }),
    });
    running.push(await startKnot(folder, { primary, secondary, secret }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { primary, secondary, api, tsigKey: TSIG_KEY, catalog: CATALOG, stop };
}

async function startPowerDns(
  folder: string,
  { primary, secondary, key }: { primary: ServerAddress; secondary: ServerAddress; key: string },
) {
  const database = join(folder, 'powerdns.sqlite3');
  await run('sqlite3', [database, `.read ${SCHEMA}`]);
  const settings = {
    launch: 'gsqlite3',
    'gsqlite3-database': database,
    'gsqlite3-pragma-synchronous': 0,
    'gsqlite3-dnssec': 'yes',
    'local-address': primary.address,
    'local-port': primary.port,
    primary: 'yes',
    'also-notify': `${secondary.address}:${secondary.port}`,
    'only-notify': '127.0.0.0/8',
    'allow-axfr-ips': '',
    webserver: 'yes',
    'webserver-address': primary.address,
    'webserver-port': API_PORT,
    'webserver-allow-from': '127.0.0.0/8',
    'webserver-max-bodysize': 32,
    api: 'yes',
    'api-key': key,
    'cache-ttl': 0,
    'query-cache-ttl': 0,
    'negquery-cache-ttl': 0,
    'zone-cache-refresh-interval': 0,
    'zone-metadata-cache-ttl': 0,
    'domain-metadata-cache-ttl': 0,
    'dnssec-key-cache-ttl': 0,
    'socket-dir': folder,
    'disable-syslog': 'yes',
    'security-poll-suffix': '',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  await writeFile(join(folder, 'pdns.conf'), `${lines.join('\n')}\n`);
  return await startProgram('pdns_server', [`--config-dir=${folder}`], /Done launching threads/);
}

async function startKnot(
  folder: string,
  { primary, secondary, secret }: { primary: ServerAddress; secondary: ServerAddress; secret: string },
) {
  const storage = join(folder, 'knot');
  await mkdir(storage);
  const config = `
server:
    rundir: "${storage}"
    listen: ${secondary.address}@${secondary.port}
log:
  - target: stdout
    any: info
database:
    storage: "${storage}"
key:
  - id: ${TSIG_KEY}
    algorithm: hmac-sha256
    secret: ${secret}
remote:
  - id: primary
    address: ${primary.address}@${primary.port}
    key: ${TSIG_KEY}
acl:
  - id: notified
    address: 127.0.0.0/8
    key: ${TSIG_KEY}
    action: notify
template:
  - id: default
    storage: "${storage}"
    master: primary
    acl: notified
    # Longer than any test: it hears of changes by notifications, or not at all.
    refresh-min-interval: 1d
    zonefile-sync: -1
    journal-content: all
  - id: member
    storage: "${storage}"
    master: primary
    acl: notified
    refresh-min-interval: 1d
    zonefile-sync: -1
    journal-content: all
zone:
  - domain: ${CATALOG}
    catalog-role: interpret
    catalog-template: member
`;
  const file = join(folder, 'knot.conf');
  await writeFile(file, config);
  return await startProgram('knotd', ['-c', file], /server started/);
}

/** Runs a program as a child until stopped; resolves when it has printed what says that it is ready. */
async function startProgram(name: string, args: readonly string[], ready: RegExp) {
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let printed = '';
  const isReady = Promise.withResolvers<void>();
  const read = (chunk: Buffer): void => {
    // The beginning tells what went wrong; all of a long run is nobody's to keep.
    if (printed.length < 64 * 1024) printed += chunk;
    if (ready.test(printed)) isReady.resolve();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const failed = ended.then(() => Promise.reject(new Error(`${name} ended:\n${printed}`)));
  await installed(Promise.race([isReady.promise, failed]));
  failed.catch(() => {});
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function run(name: string, args: readonly string[]): Promise<void> {
  const child = spawn(name, args, { stdio: 'ignore' });
  const [code] = await installed(once(child, 'close'));
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}
