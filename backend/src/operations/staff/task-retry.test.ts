// Slow: 4 s

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Customer } from '../../../test/fixture.ts';
import { openStuckWork } from '../../../test/stuck-work.ts';
import { WEBSPACE_ORDER } from '../../../test/webspaces.ts';
import { openZones } from '../../../test/zones.ts';
import recover from '../../business/core/backends/recover.job.ts';
import named from '../../business/servers/network/named.job.ts';
import { SandboxDelegation } from '../../drivers/dns/delegation/sandbox.ts';

const site = await openZones(({ hosts }) => {
  const name_template = 'static-{address}.fra1.example.net';
  Object.assign(hosts[0]?.networks.ipv4 ?? {}, { reverse_zone: '18.198.in-addr.arpa', name_template });
});
const { pool, ports } = site;
const { requests, staff, retry, taskOf, accepted, asleep, dueJobs, failingBackends, later } =
  await openStuckWork(site, { ...ports, delegation: new SandboxDelegation() });

beforeEach(healed);

/** Whatever failed answers again. */
async function healed(): Promise<void> {
  for (const faults of ['registry_faults', 'dns_faults', 'faults'])
    await pool.pg.query(`DELETE FROM sandbox.${faults}`);
}

interface Case {
  readonly backend: string;
  readonly faults: 'registry_faults' | 'dns_faults' | 'faults';
  readonly commands: readonly string[];
  /** What is asked to find out whether it answers. */
  readonly question: string;
  /** Begins such work on something that is new; with what an operator can name it by. */
  begin(who: Customer): Promise<{ readonly task: { readonly uuid: string }; readonly order_id?: string }>;
}

let domains = 0;
function newName(): string {
  domains += 1;
  return `stuck-${domains}.com`;
}

const NAME_SERVER = {
  backend: 'dns:primary',
  faults: 'dns_faults',
  commands: ['ensure_rrsets', 'ensure_zone'],
  question: 'zone',
} as const;

const CASES: Readonly<Record<string, Case>> = {
  'a registration': {
    backend: 'registry:sandbox',
    faults: 'registry_faults',
    commands: ['create'],
    question: 'info',
    begin: (who) => site.order(who, { domain: newName() }),
  },
  'an authorisation code': {
    backend: 'registry:sandbox',
    faults: 'registry_faults',
    commands: ['update'],
    question: 'info',
    async begin(who) {
      const domain = newName();
      await site.register(who, domain);
      site.clock.set(site.clock.now().add({ hours: 24 * 61 }));
      return await accepted('domain/authcode', { domain, unlock: true }, who);
    },
  },
  'a new webspace': {
    backend: 'webserver:web1',
    faults: 'faults',
    commands: ['ensure_site'],
    question: 'site_list',
    begin: (who) => accepted('webspace/order', WEBSPACE_ORDER, who),
  },
  'a change of records': {
    ...NAME_SERVER,
    async begin(who) {
      const domain = newName();
      await site.zone(who, domain);
      const www = { action: 'create', name: 'www', type: 'A', content: '192.0.2.1' };
      return await site.update(who, domain, { changes: [www] });
    },
  },
  'a reverse name': {
    ...NAME_SERVER,
    async begin(who) {
      const { server_uuid: uuid } = await site.orderServer(who);
      await site.work();
      const { ipv4 } = await requests.data('server/ipaddresses', { uuid }, { token: who.secret });
      const change = { uuid, ip_address: ipv4[0].ip_address, rdns: 'mail.customer.example' };
      return await accepted('server/ptr', change, who);
    },
  },
};

/** Work whose back end has stopped to answer after it was begun; it sleeps, as after many attempts. */
async function stuck({ faults, commands, question, begin }: Case) {
  const who = await site.customer(100_000n);
  const { task, order_id: orderId } = await begin(who);
  for (const command of [...commands, question])
    await pool.pg.query(
      `INSERT INTO sandbox.${faults} (command, fault, remaining) VALUES ($1, 'timeout_before', 1000)`,
      [command],
    );
  await site.work();
  assert.equal((await taskOf(who, task.uuid)).error.error, 'backend_unavailable');
  await asleep();
  return { who, orderId, taskId: task.uuid };
}

async function isDone({ who, taskId }: { who: Customer; taskId: string }): Promise<void> {
  await site.work();
  await site.tick();
  await site.run(named);
  const { state, error } = await taskOf(who, taskId);
  assert.deepEqual([state, error], ['succeeded', null]);
  assert.deepEqual(await failingBackends(), []);
  assert.deepEqual(await site.booksProblems(), []);
}

for (const [what, work] of Object.entries(CASES)) {
  test(`${what} that sleeps goes on when its back end answers, and not before`, async () => {
    const waiting = await stuck(work);
    assert.deepEqual(await failingBackends(), [work.backend]);
    later();
    await site.run(recover);
    assert.equal(await dueJobs(), 0, 'it is silent');
    await healed();
    later();
    await site.run(recover);
    await isDone(waiting);
  });

  test(`${what} that sleeps goes on when another command of its back end has an outcome`, async () => {
    const waiting = await stuck(work);
    await healed();
    const other = await work.begin(await site.customer(100_000n));
    await site.work();
    assert.ok(other.task.uuid);
    await isDone(waiting);
  });

  test(`${what} that sleeps is tried again at once by an operator`, async () => {
    const { orderId, ...waiting } = await stuck(work);
    await healed();
    assert.equal(await retry(orderId ?? waiting.taskId), 1);
    await isDone(waiting);
    await requests.refused('not_found', 'staff/task-retry', { uuid: waiting.taskId }, { token: staff });
  });
}
