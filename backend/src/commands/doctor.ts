import { existsSync, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CatalogStore } from '../business/core/catalog/versions.ts';
import { operators } from '../business/core/people/operator.ts';
import { issuingSeller } from '../business/selling/invoices/seller.ts';
import type { Command } from '../command.ts';
import type { Config } from '../config.ts';
import { clientTo } from '../db/connection.ts';
import { durabilityProblems } from '../db/durability.ts';
import { schemaAccess } from '../db/migrate.ts';
import { isForReal, openDemoLogins, openDemoVouchers } from '../demo-close.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { mappingProblems, openPorts, takesRealMoney } from '../ports.ts';
import { clockFinding, type Finding, queueFindings, workFindings } from '../wire/health.ts';
import { readOperatingState } from '../work/operating-state.ts';
import { queueState } from '../work/queue-state.ts';
import { isSafeMode } from '../work/safe-mode.ts';

export const command: Command = {
  name: 'doctor',
  summary: 'Check what the configuration needs, and say what to do',
  usage: '',
  flags: {},
  async run({ config, print }) {
    const findings = [...checkMachine(config), ...(await checkDatabase(config))];
    for (const { ok, what, advice } of findings) {
      print(`${ok ? 'ok  ' : 'BAD '} ${what}`);
      if (!ok && advice !== undefined) print(`     → ${advice}`);
    }
    if (findings.some((finding) => !finding.ok)) process.exitCode = 1;
  },
};

const MIN_FREE_BYTES = 1024 ** 3;

function checkMachine(config: Config): Finding[] {
  const findings: Finding[] = [
    {
      ok: Number(process.versions.node.split('.')[0]) >= 26,
      what: `Node.js ${process.versions.node}`,
      advice: 'Hostkeep needs Node 26: npm ci brings it, start it by npx hostkeep',
    },
  ];
  const data = resolve(config.data);
  const keyFile = resolve(config.keyFile ?? `${data}.key`);
  if (config.databaseUrl === undefined && existsSync(data)) {
    const { bavail, bsize } = statfsSync(data);
    findings.push({
      ok: bavail * bsize > MIN_FREE_BYTES,
      what: `${Math.round((bavail * bsize) / 1024 ** 3)} GiB free for ${data}`,
      advice: 'make room: the database stops when its disk is full',
    });
  }
  if (existsSync(keyFile) && process.platform !== 'win32') {
    findings.push({
      ok: (statSync(keyFile).mode & 0o077) === 0,
      what: `the key file ${keyFile} is closed to others`,
      advice: `chmod 600 ${keyFile}`,
    });
  }
  findings.push({
    ok: !keyFile.startsWith(`${data}/`),
    what: 'the key file lies outside the data directory',
    advice: 'set HOSTKEEP_KEY_FILE elsewhere: a copy of the data must not bring its key',
  });
  if (config.publicUrl?.startsWith('http://')) {
    const local = /^http:\/\/(localhost|127\.|\[::1\])/.test(config.publicUrl);
    findings.push({
      ok: local,
      what: `customers come by ${config.publicUrl}`,
      advice: 'put TLS in front, and set HOSTKEEP_PUBLIC_URL to https',
    });
  }
  findings.push({
    ok: config.vatRegister !== 'sandbox' || !config.publicUrl?.startsWith('https://'),
    what: `VAT numbers are looked up in ${config.vatRegister === 'vies' ? 'VIES' : 'the sandbox'}`,
    advice: 'set HOSTKEEP_VAT_REGISTER=vies: the sandbox confirms every number, and no tax is charged on it',
  });
  findings.push({
    ok:
      (config.whois !== 'sandbox' && config.resolvers.length > 0) ||
      !config.publicUrl?.startsWith('https://'),
    what: `tools ask ${config.whois === 'internet' ? 'registries' : 'a sandbox'} and ${config.resolvers.join(', ') || 'a sandbox for names'}`,
    advice: 'set HOSTKEEP_WHOIS=internet and HOSTKEEP_RESOLVERS: what the sandboxes say is invented',
  });
  return findings;
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  if (config.databaseUrl !== undefined) {
    const unreachable = await connectionProblem(config.databaseDirectUrl ?? config.databaseUrl);
    if (unreachable !== null) return [unreachable];
  }
  let installation: Awaited<ReturnType<typeof openInstallation>>;
  try {
    installation = await openInstallation(config, 'doctor');
  } catch (error) {
    return [
      {
        ok: false,
        what: `the database does not open: ${(error as Error).message}`,
        advice: 'mend what the message says, then try again',
      },
    ];
  }
  try {
    return [
      ...workFindings(await readOperatingState(installation.readPool, installation.clock.now())),
      ...queueFindings(await queueState(installation.readPool)),
      clockFinding(installation.machineAhead()),
      ...(await checkLogin(installation)),
      ...(await durabilityProblems(installation.directUrl)).map((problem) => ({ ok: false, ...problem })),
      ...(await checkBooks(installation)),
      ...(await checkDoors(installation)),
      await checkMail(installation),
      ...(await checkDns(installation)),
      ...(await checkHypervisors(installation)),
      ...(await checkRegistries(installation)),
      ...(await checkPayments(installation)),
      ...(await checkInvoices(installation)),
      ...(await checkTickets(installation)),
    ];
  } finally {
    await installation.close();
  }
}

async function connectionProblem(url: string): Promise<Finding | null> {
  const client = clientTo(url, { connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // the statement under way fails too
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; may_create_roles: boolean; role_exists: boolean }>(
      `SELECT current_setting('server_version_num') AS version,
         (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create_roles,
         EXISTS (SELECT FROM pg_roles WHERE rolname = 'hostkeep_app') AS role_exists`,
    );
    const [row] = rows;
    if (row === undefined || Number(row.version) < 150_000) {
      return {
        ok: false,
        what: `PostgreSQL ${row?.version}`,
        advice: 'Hostkeep needs PostgreSQL 15 or newer; it is tested with 15 and 18',
      };
    }
    if (!row.may_create_roles && !row.role_exists) {
      return {
        ok: false,
        what: 'the role hostkeep_app is missing, and the user of DATABASE_URL may not make it',
        advice: 'run `hostkeep migrate` with DATABASE_OWNER_URL, of a user who may create roles',
      };
    }
    return null;
  } catch (error) {
    return {
      ok: false,
      what: `DATABASE_URL: ${(error as Error).message}`,
      advice: 'check host, port, user and password',
    };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether a statement that was injected could become the owner of the tables, and rewrite the ledger. */
async function checkLogin({ directUrl }: Installation): Promise<Finding[]> {
  const isOwner = (await schemaAccess(directUrl)) === 'owner';
  return [
    {
      ok: !isOwner,
      what: isOwner
        ? 'the user of DATABASE_URL can become the owner of the tables'
        : 'the application logs in as a user who cannot become the owner of the tables',
      advice:
        "make another user (CREATE ROLE hostkeep_login LOGIN PASSWORD '…'), name it in DATABASE_URL, and give today's address as DATABASE_OWNER_URL to `hostkeep migrate`",
    },
  ];
}

async function checkBooks({
  readPool,
  url,
  directUrl,
}: Awaited<ReturnType<typeof openInstallation>>): Promise<Finding[]> {
  const { rows } = await readPool.pg.query<{
    catalog: boolean;
    unbalanced: string;
    wrong: string;
    stale: string;
  }>(`
    SELECT EXISTS (SELECT FROM catalog_versions) AS catalog,
      (SELECT count(*) FROM (SELECT FROM ledger_postings GROUP BY entry_id, currency HAVING sum(amount) <> 0) x)::text AS unbalanced,
      (SELECT count(*) FROM accounts a WHERE a.balance <> coalesce(
         (SELECT e.balance_after FROM ledger_entries e WHERE e.account_id = a.id AND e.seq = a.ledger_seq), 0))::text AS wrong,
      (SELECT count(*) FROM accounts a WHERE a.reserved <> coalesce(
         (SELECT sum(h.amount) FROM holds h WHERE h.account_id = a.id AND h.state = 'open'), 0))::text AS stale`);
  const [row] = rows;
  return [
    { ok: true, what: `the database answers${url === directUrl ? '' : ', and directly too'}` },
    { ok: row?.catalog === true, what: 'something is sold', advice: 'hostkeep catalog import <file>' },
    {
      ok: row?.unbalanced === '0',
      what: 'every ledger entry sums to zero',
      advice: `${row?.unbalanced} entries do not: stop selling and look`,
    },
    {
      ok: row?.wrong === '0',
      what: 'every balance is what its ledger says',
      advice: `${row?.wrong} accounts differ: stop selling and look`,
    },
    { ok: row?.stale === '0', what: 'what is reserved is held', advice: `${row?.stale} accounts differ` },
    {
      ok: !(await isSafeMode(readPool)),
      what: 'safe mode is off',
      advice: 'compare back ends and books, then: hostkeep safe-mode off',
    },
  ];
}

async function checkDoors({ config, readPool }: Installation): Promise<Finding[]> {
  if (!isForReal(config)) return [];
  const [logins, vouchers, staff] = await Promise.all([
    openDemoLogins(readPool),
    openDemoVouchers(readPool),
    operators(readPool),
  ]);
  const unguarded = staff.filter((one) => one.state === 'active' && one.totp_confirmed_at === null);
  return [
    {
      ok: logins.length === 0,
      what: `nobody logs in with a password of the demo${logins.length === 0 ? '' : `: ${logins.join(' and ')} do`}`,
      advice: 'hostkeep demo close: the passwords are public, and serve does not start with them',
    },
    {
      ok: vouchers === 0,
      what: 'the vouchers of the demo are worth nothing',
      advice: `hostkeep demo close: the codes of ${vouchers} are public`,
    },
    {
      ok: unguarded.length === 0,
      what: 'every operator has a second factor',
      advice: `have them log in and set one up: ${unguarded.map(({ email }) => email).join(', ')}`,
    },
  ];
}

/** Each node of each connection: one that cannot run machines would leave orders waiting. */
async function checkHypervisors(installation: Installation): Promise<Finding[]> {
  const { hypervisorsFile } = installation.config;
  if (hypervisorsFile === undefined) return [];
  const advice = 'scripts/install.sh servers on the node, and docs/guides/servers.md';
  try {
    const ports = await openPorts(installation, new CatalogStore(installation.readPool));
    const connections = [...ports.qemu.values(), ...ports.proxmox.values()];
    const nodes = await Promise.all(connections.map((connection) => connection.problems()));
    await ports.close();
    return nodes.flat().map(({ node, problem }) => ({
      ok: problem === null,
      what: `node ${node} ${problem === null ? 'can run machines' : `cannot run machines: ${problem}`}`,
      advice,
    }));
  } catch (error) {
    return [{ ok: false, what: `${hypervisorsFile}: ${(error as Error).message}`, advice }];
  }
}

async function checkDns(installation: Installation): Promise<Finding[]> {
  const { config, readPool } = installation;
  if (config.powerdnsUrl === undefined)
    return [
      {
        ok: !config.publicUrl?.startsWith('https:'),
        what: "zones are served by the sandbox's name server",
        advice: 'set HOSTKEEP_POWERDNS_URL: nobody outside sees these zones (docs/guides/dns.md)',
      },
    ];
  const catalogs = new CatalogStore(readPool);
  const ports = await openPorts(installation, catalogs);
  const problem = await ports.dnsProblem().finally(() => ports.close());
  const hosts = [...new Set(config.nameservers.map(({ hostname }) => hostname))].sort();
  const delegated = await catalogs.newest(readPool).then(({ content }) => content.nameservers.toSorted());
  return [
    {
      ok: problem === null,
      what: `PowerDNS ${problem === null ? 'serves our zones' : `does not: ${problem}`}`,
      advice: 'check HOSTKEEP_POWERDNS_URL and HOSTKEEP_POWERDNS_KEY; zones wait until it works',
    },
    {
      ok: hosts.length > 1,
      what: `zones are published on ${hosts.join(', ') || 'nothing that is listed'}`,
      advice:
        'list at least two name servers in HOSTKEEP_NAMESERVERS: only those can be asked what they serve',
    },
    {
      ok: hosts.join() === delegated.join(),
      what: `domains are delegated to ${delegated.join(', ') || 'nobody'}`,
      advice:
        'nameservers of the catalogue and HOSTKEEP_NAMESERVERS must name the same hosts: domains are delegated to the first, zones are looked for on the second',
    },
  ];
}

async function checkRegistries(installation: Installation): Promise<Finding[]> {
  const catalogs = new CatalogStore(installation.readPool);
  const ports = await openPorts(installation, catalogs);
  try {
    const { unserved, untold } = mappingProblems(ports, await catalogs.open());
    const mapped: readonly Finding[] = [
      ...unserved.map((what) => ({
        ok: false,
        what,
        advice: 'map the TLD to another connection in the catalogue, or mark this one as a gateway',
      })),
      ...untold.map((what) => ({
        ok: false,
        what: `customers are asked for what no registry is told: ${what}`,
        advice: 'have the connection tell it (contact_extension), or take it out of the contact_schema',
      })),
    ];
    const reached = await Promise.all(
      [...ports.eppRegistries].map(async ([name, registry]) => {
        const problem = await registry.problem();
        return {
          ok: problem === null,
          what: `the registry ${name} ${problem === null ? 'greets us and lets us in' : `does not let us in: ${problem}`}`,
          advice: 'check its entry in HOSTKEEP_REGISTRIES_FILE (docs/guides/registries.md)',
        };
      }),
    );
    return [...reached, ...mapped];
  } finally {
    await ports.close();
  }
}

async function checkPayments(installation: Installation): Promise<Finding[]> {
  const { config, readPool } = installation;
  const catalogs = new CatalogStore(readPool);
  const sold = await catalogs.newest(readPool).catch(() => null);
  if (sold === null) return [];
  const ports = await openPorts(installation, catalogs);
  try {
    const methods = ports.payment.methods();
    const providers = takesRealMoney(config) ? await ports.payment.problems() : [];
    return [
      {
        ok: methods.length > 0,
        what: `customers pay by ${methods.join(', ') || 'nothing'}`,
        advice: "set HOSTKEEP_STRIPE_KEY, or the seller's IBAN in the catalogue",
      },
      {
        ok: !(methods.includes('sandbox') && config.publicUrl?.startsWith('https:')),
        what: 'no play money is offered to the public',
        advice: 'take topup.sandbox out of the catalogue: whoever wants to pays with it',
      },
      ...providers.map(({ title, problem }) => ({
        ok: problem === null,
        what: `${title.en} ${problem === null ? 'takes payments' : `takes no payments: ${problem}`}`,
        advice: 'check its key and what that is allowed to do',
      })),
    ];
  } finally {
    await ports.close();
  }
}

async function checkInvoices({ readPool, clock }: Installation): Promise<Finding[]> {
  const sold = await new CatalogStore(readPool).newest(readPool).catch(() => null);
  if (sold === null) return [];
  const { rows } = await readPool.pg.query<{ waiting: string }>(
    `SELECT count(*)::text AS waiting FROM orders
     WHERE state = 'completed' AND invoice_id IS NULL AND gross > 0 AND automatic IN (false, true) AND closed_at < $1`,
    [clock.now().subtract({ hours: 48 }).toString()],
  );
  const waiting = rows[0]?.waiting ?? '0';
  return [
    {
      ok: issuingSeller(sold.content.seller) !== null,
      what: 'the catalogue names a seller who can issue invoices',
      advice: 'give seller in the catalogue, with vat_id or tax_number: until then no invoice is issued',
    },
    {
      ok: waiting === '0',
      what: 'no order waits for its invoice for two days',
      advice: `${waiting} do: is a worker running? its log says what could not be invoiced`,
    },
  ];
}

async function checkMail(installation: Installation): Promise<Finding> {
  const { config, readPool } = installation;
  if (config.smtp === undefined)
    return {
      ok: !config.publicUrl?.startsWith('https:'),
      what: 'mails stay in the sandbox (hostkeep mails)',
      advice: 'set HOSTKEEP_SMTP_URL and HOSTKEEP_MAIL_FROM: customers get no mail',
    };
  const ports = await openPorts(installation, new CatalogStore(readPool));
  try {
    const problem = await ports.mail.problem();
    const { host, port } = config.smtp;
    return {
      ok: problem === null,
      what: `the mail server ${host}:${port} ${problem === null ? 'lets us in' : `does not let us in: ${problem}`}`,
      advice: 'check host, port, user and password in HOSTKEEP_SMTP_URL; mails wait until it works',
    };
  } finally {
    await ports.close();
  }
}

/** Where files of tickets are kept, and whether answers by mail can be believed. */
async function checkTickets(installation: Installation): Promise<Finding[]> {
  const { config, readPool } = installation;
  const catalogs = await new CatalogStore(readPool).open();
  const ports = await openPorts(installation, catalogs);
  try {
    const problem = await ports.storage.problem();
    const where = config.s3Url ?? `${resolve(config.data)}/files`;
    const reads = config.inboxLmtp !== undefined || config.inboxMaildir !== undefined;
    return [
      {
        ok: problem === null,
        what: `files of tickets ${problem === null ? `are kept in ${where}` : `cannot be kept in ${where}: ${problem}`}`,
        advice:
          'check HOSTKEEP_S3_URL and its key, or who may write below the data directory; files wait in the database',
      },
      {
        ok: !reads || config.inboxAuthserv !== undefined,
        what: reads ? 'answers to tickets are read from mail' : 'answers to tickets by mail are not read',
        advice: 'set HOSTKEEP_INBOX_AUTHSERV: until then every mail waits for an operator',
      },
    ];
  } finally {
    await ports.close();
  }
}
