import { randomUUID } from 'node:crypto';
import { planFault } from '../../src/drivers/hypervisor/sandbox/fault.ts';
import { type Caller, type Harness, NO_RDNS_HOST } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';

const HOST = 'fra-epyc';
const HOSTNAME = 'web.example.com';
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW';
const WAIT = { prefer: 'wait=30' };

export async function ordered(harness: Harness, as: Caller, host = HOST): Promise<string> {
  const size = { cores: 1, memory: 1024, disk: 20 };
  const input = {
    host,
    ...size,
    os: 'debian-13',
    hostname: HOSTNAME,
    duration: 1,
    tos: true,
    cancellation: true,
  };
  return (await harness.data('server/order', { as, input, headers: WAIT })).server_uuid;
}

/** Runs a statement with the server's uuid as $1. */
type Change = (harness: Harness, uuid: string) => Promise<object | undefined>;

export const sql =
  (text: string): Change =>
  async ({ pool }, uuid) => {
    await pool.pg.query(text, [uuid]);
    return undefined;
  };

/** A call about a server that is there, with what `change` did to it and adds to the input. */
export const onServer =
  (more: object, change: Change = async () => undefined): Prepare =>
  async (harness) => {
    const as = await harness.customer();
    const uuid = await ordered(harness, as);
    return { as, input: { uuid, ...more, ...(await change(harness, uuid)) } };
  };

// In the books too, or the reconciler would find a difference.
const stopped = sql(`WITH machine AS (
    UPDATE sandbox.machines SET power = 'stopped', booted_at = NULL WHERE server_id = $1)
  UPDATE servers SET wanted_power = 'stopped', power_state = 'stopped' WHERE id = $1`);
const paused = sql(`WITH machine AS (UPDATE sandbox.machines SET power = 'paused' WHERE server_id = $1)
  UPDATE servers SET wanted_power = 'paused', power_state = 'paused' WHERE id = $1`);
const deaf: Change = async ({ pool }, uuid) => {
  await planFault(pool, { command: 'status', fault: 'timeout_before', serverId: uuid });
  return undefined;
};

/** How every piece of work on a server is refused. */
export const refusals = (more: object) => ({
  not_found: async (harness: Harness) => ({
    as: await harness.customer(),
    input: { uuid: randomUUID(), ...more },
  }),
  state_conflict: onServer(more, sql("UPDATE services SET state = 'cancelled' WHERE id = $1")),
});

export const locked = (more: object) => ({
  ...refusals(more),
  resource_locked: onServer(
    more,
    sql(`INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
         SELECT gen_random_uuid(), account_id, 'server.power', 'running', 'server', id, created_at
         FROM services WHERE id = $1`),
  ),
});

const first: Change = async (harness, uuid) => {
  const { rows } = await harness.pool.pg.query(
    'SELECT host(address) AS ip_address FROM addresses WHERE server_id = $1 AND family = 4',
    [uuid],
  );
  return rows[0];
};

const single: Change = async ({ pool }, uuid) => {
  const { rows } = await pool.pg.query(
    'SELECT host(address + 1) AS ip_address FROM addresses WHERE server_id = $1 AND family = 6',
    [uuid],
  );
  await pool.pg.query(
    `INSERT INTO address_names SELECT set_masklen(a.address, 128) + 1000 + n, a.address, 'x.example'
     FROM addresses a, generate_series(1, 256) n WHERE a.server_id = $1 AND a.family = 6`,
    [uuid],
  );
  return rows[0];
};

/** A server where the pool has no reverse names. */
const unnamed: Prepare = async (harness) => {
  const as = await harness.customer();
  const uuid = await ordered(harness, as, NO_RDNS_HOST);
  return { as, input: { uuid, rdns: null, ...(await first(harness, uuid)) } };
};

const ANY_ADDRESS = { ip_address: '192.0.2.1' };

const keep =
  (input: object, before: (harness: Harness, as: Caller) => Promise<object | undefined>): Prepare =>
  async (harness) => {
    const as = await harness.customer();
    return { as, input: { ...input, ...(await before(harness, as)) } };
  };

/** A token for certain things only. */
const narrow =
  (input: object): Prepare =>
  async (harness) => ({
    as: await harness.tokenOf(await harness.customer(), { resourceAllowlist: [randomUUID()] }),
    input,
  });

const added = async (harness: Harness, as: Caller) => {
  const { key_uuid } = await harness.data('server/sshkey-add', {
    as,
    input: { name: 'Laptop', public_key: KEY },
  });
  return { key_uuid };
};

const REINSTALL = { os: 'debian-13', confirm: HOSTNAME };

/** What customers do with servers that are there. */
export const changeCases: Cases = {
  'server/power': {
    succeeds: onServer({ action: 'reboot' }),
    refuses: { ...locked({ action: 'reboot' }), server_not_running: onServer({ action: 'reboot' }, stopped) },
  },
  'server/password': {
    succeeds: onServer({}),
    refuses: {
      ...locked({}),
      validation_failed: onServer({ method: 'cloud_init' }),
      server_not_running: onServer({ method: 'guest_agent' }, stopped),
      not_supported_by_backend: onServer({ reboot: true }, async (harness, uuid) => {
        await paused(harness, uuid);
        return await sql("UPDATE servers SET os = 'windows-2025' WHERE id = $1")(harness, uuid);
      }),
      backend_unavailable: onServer({}, deaf),
    },
  },
  'server/reinstall': {
    succeeds: onServer(REINSTALL),
    refuses: {
      ...locked(REINSTALL),
      resource_protected: onServer(
        REINSTALL,
        sql('UPDATE servers SET protect_reinstall = true WHERE id = $1'),
      ),
      confirmation_mismatch: onServer({ ...REINSTALL, confirm: 'other.example.com' }),
      validation_failed: onServer({ ...REINSTALL, os: 'none' }),
      os_requirements_not_met: onServer({ ...REINSTALL, os: 'rocky-9' }),
    },
  },
  'server/hardware': {
    succeeds: onServer({}),
    refuses: {
      not_found: refusals({}).not_found,
      state_conflict: onServer({}, sql('DELETE FROM sandbox.machines WHERE server_id = $1')),
      backend_unavailable: onServer({}, deaf),
    },
  },
  'server/ipaddresses': { succeeds: onServer({}), refuses: { not_found: refusals({}).not_found } },
  'server/ptr': {
    succeeds: onServer({ rdns: 'mail.customer.example' }, first),
    refuses: {
      ...refusals({ ...ANY_ADDRESS, rdns: null }),
      ip_not_assigned: onServer({ ...ANY_ADDRESS, rdns: null }),
      rdns_invalid: onServer({ rdns: '-' }, first),
      forward_mismatch: onServer({ rdns: 'missing.customer.example', check_forward: true }, first),
      limit_reached: onServer({ rdns: 'a.customer.example' }, single),
      not_supported_by_backend: unnamed,
      backend_unavailable: onServer({ rdns: 'timeout.customer.example', check_forward: true }, first),
    },
  },
  'server/sshkeys': {
    succeeds: async (harness) => ({ as: await harness.customer(), input: {} }),
    refuses: { token_restricted: narrow({}) },
  },
  'server/sshkey-add': {
    succeeds: keep({ name: 'Laptop', public_key: KEY }, async () => undefined),
    refuses: {
      token_restricted: narrow({ name: 'Laptop', public_key: KEY }),
      already_exists: keep({ name: 'Laptop', public_key: KEY }, async (harness, as) => {
        await added(harness, as);
        return undefined;
      }),
      limit_reached: keep({ name: 'Laptop', public_key: KEY }, async ({ pool, clock }, as) => {
        await pool.pg.query(
          `INSERT INTO ssh_keys SELECT gen_random_uuid(), $1, '', '', n::text, $2 FROM generate_series(1, 100) n`,
          [as.accountId, clock.now().toString()],
        );
        return undefined;
      }),
    },
  },
  'server/sshkey-remove': {
    succeeds: keep({}, added),
    refuses: {
      token_restricted: narrow({ key_uuid: randomUUID() }),
      not_found: keep({ key_uuid: randomUUID() }, async () => undefined),
    },
  },
};
