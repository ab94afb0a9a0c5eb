import { randomUUID } from 'node:crypto';
import type { Caller, Harness } from '../harness.ts';
import type { Cases, OperationCases, Prepare } from './case.ts';
import { newOrderRefusals, orderRefusals } from './ordering.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUZLhDjsZCMfJ8VRtHnpQbUGYMKhdbfxWcEHkEWRsDW';
/** Of the demo's catalogue: no subdomains, no backups, and a host of its own, which a case fills. */
const CLASSIC = 'b0a4c1de-7d0e-4a86-9a52-7f3f5d1f2c64';
const CLASSIC_HOST = 'hel-web-01';

const NOTHING = '00000000-0000-7000-8000-000000000000';

/** A name that nobody else has. */
const freshDomain = () => `d${randomUUID().slice(0, 8)}.example`;

async function order({ catalog }: Harness, _as?: Caller): Promise<Record<string, unknown>> {
  const pack = catalog.webspace_packages.find((known) => known.sold);
  if (pack === undefined) throw new Error('the catalogue sells no webspace');
  return { pack_uuid: pack.uuid, duration: 1, tos: true, cancellation: true };
}

const changedOrder =
  (change: Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { ...(await order(harness)), ...change } });

interface Made {
  readonly as: Caller;
  readonly uuid: string;
  readonly username: string;
}

/** A customer with a webspace that is there. */
async function made(harness: Harness, more: Record<string, unknown> = {}): Promise<Made> {
  const as = await harness.customer();
  const { webspace_uuid: uuid, access } = await harness.data('webspace/order', {
    as,
    input: { ...(await order(harness)), ...more },
    headers: { prefer: 'wait=30' },
  });
  return { as, uuid, username: access.username };
}

type More = (harness: Harness, webspace: Made) => Promise<Record<string, unknown>> | Record<string, unknown>;

/** A call about a webspace that is there; in another state, if one is given. */
const withWebspace =
  (more: More, state?: string): Prepare =>
  async (harness) => {
    const webspace = await made(harness);
    const input = { uuid: webspace.uuid, ...(await more(harness, webspace)) };
    if (state !== undefined)
      await harness.pool.pg.query('UPDATE services SET state = $2 WHERE id = $1', [webspace.uuid, state]);
    return { as: webspace.as, input };
  };

const unknownWith =
  (more: Record<string, unknown>): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID(), ...more } });

const renewal = async (harness: Harness, as: Caller) => {
  const { webspace_uuid: uuid } = await harness.data('webspace/order', {
    as,
    input: await order(harness),
    headers: { prefer: 'wait=30' },
  });
  return { uuid, duration: 1 };
};

/** What every change of a webspace is refused for; `more` is what it takes beside the uuid. */
const changeRefusals = (more: Record<string, unknown>): OperationCases['refuses'] => ({
  not_found: unknownWith(more),
  state_conflict: withWebspace(() => more, 'suspended'),
});

/** Brings a webspace to where a limit is reached. */
const setLimits =
  (set: string): More =>
  async (harness, { uuid }) => {
    await harness.pool.pg.query(set, [uuid]);
    return {};
  };

async function withDatabase(harness: Harness, { as, uuid }: Made) {
  const made = await harness.data('webspace/database-create', {
    as,
    input: { uuid, name: 'shop' },
    headers: { prefer: 'wait=30' },
  });
  return { database_uuid: made.database_uuid, confirm: made.name };
}

async function withBackup(harness: Harness, { as, uuid, username }: Made) {
  const made = await harness.data('webspace/backup-create', {
    as,
    input: { uuid },
    headers: { prefer: 'wait=30' },
  });
  return { backup_uuid: made.backup_uuid, confirm: username };
}

async function claimed(harness: Harness, { as, uuid }: Made) {
  const domain = freshDomain();
  const added = await harness.data('webspace/domain-add', { as, input: { uuid, domain } });
  return { domain, challenge: added.domain.challenge as { name: string; value: string } };
}

async function publish(harness: Harness, challenge: { name: string; value: string }): Promise<void> {
  await harness.pool.pg.query("INSERT INTO sandbox.names (name, type, value) VALUES ($1, 'TXT', $2)", [
    challenge.name,
    challenge.value,
  ]);
}

/** Somebody else's proven name. */
async function takenName(harness: Harness): Promise<string> {
  const other = await made(harness);
  const { domain, challenge } = await claimed(harness, other);
  await publish(harness, challenge);
  await harness.data('webspace/domain-verify', { as: other.as, input: { uuid: other.uuid, domain } });
  return domain;
}

export const cases: Cases = {
  'webspace/packages': { succeeds: async () => ({ as: null }), refuses: {} },
  'webspace/details': { succeeds: withWebspace(() => ({})), refuses: { not_found: unknownWith({}) } },
  'webspace/status': { succeeds: withWebspace(() => ({})), refuses: { not_found: unknownWith({}) } },
  'webspace/list': {
    succeeds: async (harness) => ({ as: (await made(harness)).as }),
    refuses: {
      validation_failed: async (harness) => ({ as: await harness.customer(), input: { page: 1_000_000 } }),
    },
  },
  'webspace/order': {
    succeeds: changedOrder({}),
    refuses: {
      ...orderRefusals(order),
      ...newOrderRefusals(order),
      not_found: changedOrder({ pack_uuid: randomUUID() }),
      validation_failed: changedOrder({ php_version: '5.6' }),
      already_exists: async (harness) => {
        const { username } = await made(harness);
        return await changedOrder({ username })(harness);
      },
      hostname_taken: async (harness) => await changedOrder({ domain: await takenName(harness) })(harness),
      limit_reached: changedOrder({ pack_uuid: CLASSIC, domain: 'shop.new.example' }),
      out_of_stock: async (harness) => {
        await harness.pool.pg.query('UPDATE web_hosts SET active = false WHERE name = $1', [CLASSIC_HOST]);
        return await changedOrder({ pack_uuid: CLASSIC })(harness);
      },
    },
  },
  'webspace/renew': {
    succeeds: withWebspace(() => ({ duration: 1 })),
    refuses: {
      ...orderRefusals(renewal),
      not_found: unknownWith({ duration: 1 }),
      state_conflict: withWebspace(() => ({ duration: 1 }), 'cancelled'),
      version_mismatch: withWebspace(() => ({ duration: 1, expected_expire_at: '2020-01-01 00:00:00' })),
      validation_failed: withWebspace(() => ({ duration: 35 })),
    },
  },
  'webspace/settings': {
    succeeds: withWebspace(() => ({ auto_renew: true, custom_name: 'Shop' })),
    refuses: {
      not_found: unknownWith({ auto_renew: true }),
      version_mismatch: withWebspace(() => ({ auto_renew: true, expected_version: 99 })),
      state_conflict: withWebspace(() => ({ auto_renew: true }), 'cancelled'),
    },
  },
  'webspace/cancel': {
    succeeds: withWebspace((_, { username }) => ({ confirm: username })),
    refuses: {
      not_found: unknownWith({ confirm: 'nobody' }),
      confirmation_mismatch: withWebspace(() => ({ confirm: 'somebody else' })),
      state_conflict: withWebspace((_, { username }) => ({ confirm: username }), 'cancelled'),
      withdrawal_not_available: async (harness) => {
        const call = await withWebspace((_, { username }) => ({ confirm: username, mode: 'withdraw' }))(
          harness,
        );
        await harness.pool.pg.query(
          "UPDATE orders SET created_at = created_at - interval '30 days' WHERE account_id = $1",
          [call.as?.accountId],
        );
        return call;
      },
    },
  },
  'webspace/domain-add': {
    succeeds: withWebspace(() => ({ domain: freshDomain() })),
    refuses: {
      ...changeRefusals({ domain: 'www.new.example' }),
      already_exists: withWebspace(async (harness, webspace) => ({
        domain: (await claimed(harness, webspace)).domain,
      })),
      hostname_taken: withWebspace(async (harness) => ({ domain: await takenName(harness) })),
      limit_reached: withWebspace(async (harness, webspace) => {
        await claimed(harness, webspace);
        return { domain: freshDomain() };
      }),
    },
  },
  'webspace/domain-verify': {
    succeeds: withWebspace(async (harness, webspace) => {
      const { domain, challenge } = await claimed(harness, webspace);
      await publish(harness, challenge);
      return { domain };
    }),
    refuses: {
      ...changeRefusals({ domain: 'www.new.example' }),
      backend_unavailable: withWebspace(async (harness, webspace) => {
        const { domain } = await claimed(harness, webspace);
        await harness.pool.pg.query(
          "INSERT INTO sandbox.names (name, type, value) VALUES ($1, 'TXT', 'SERVFAIL')",
          [`_hostkeep-challenge.${domain}`],
        );
        return { domain };
      }),
      hostname_not_proven: withWebspace(async (harness, webspace) => ({
        domain: (await claimed(harness, webspace)).domain,
      })),
      hostname_taken: withWebspace(async (harness, webspace) => {
        const { domain, challenge } = await claimed(harness, webspace);
        await publish(harness, challenge);
        const rival = await made(harness);
        const input = { uuid: rival.uuid, domain };
        const added = await harness.data('webspace/domain-add', { as: rival.as, input });
        await publish(harness, added.domain.challenge);
        await harness.data('webspace/domain-verify', { as: rival.as, input });
        return { domain };
      }),
    },
  },
  'webspace/domain-remove': {
    succeeds: withWebspace(async (harness, webspace) => ({
      domain: (await claimed(harness, webspace)).domain,
    })),
    refuses: changeRefusals({ domain: 'www.new.example' }),
  },
  'webspace/php-version': {
    succeeds: withWebspace(() => ({ php_version: '8.3' })),
    refuses: {
      ...changeRefusals({ php_version: '8.3' }),
      validation_failed: withWebspace(() => ({ php_version: '5.6' })),
    },
  },
  'webspace/password': { succeeds: withWebspace(() => ({})), refuses: changeRefusals({}) },
  'webspace/databases': { succeeds: withWebspace(() => ({})), refuses: { not_found: unknownWith({}) } },
  'webspace/database-create': {
    succeeds: withWebspace(() => ({ name: 'shop' })),
    refuses: {
      ...changeRefusals({ name: 'shop' }),
      // One that is still going, so that it does not count any more.
      already_exists: withWebspace(async (harness, { uuid, username }) => {
        await harness.pool.pg.query(
          `INSERT INTO webspace_databases (id, webspace_id, name, created_at, deleted_at)
           VALUES (gen_random_uuid(), $1, $2, $3, $3)`,
          [uuid, `${username}_shop`, harness.clock.now().toString()],
        );
        return { name: 'shop' };
      }),
      limit_reached: withWebspace(async (harness, webspace) => {
        await withDatabase(harness, webspace);
        return { name: 'another' };
      }),
    },
  },
  'webspace/database-delete': {
    succeeds: withWebspace(withDatabase),
    refuses: {
      ...changeRefusals({ database_uuid: NOTHING, confirm: 'nothing' }),
      confirmation_mismatch: withWebspace(async (harness, webspace) => ({
        ...(await withDatabase(harness, webspace)),
        confirm: 'another',
      })),
    },
  },
  'webspace/database-password': {
    succeeds: withWebspace(async (harness, webspace) => ({
      database_uuid: (await withDatabase(harness, webspace)).database_uuid,
    })),
    refuses: changeRefusals({ database_uuid: NOTHING }),
  },
  'webspace/sftp-keys': { succeeds: withWebspace(() => ({})), refuses: { not_found: unknownWith({}) } },
  'webspace/sftp-key-add': {
    succeeds: withWebspace(() => ({ name: 'Laptop', public_key: KEY })),
    refuses: {
      ...changeRefusals({ name: 'Laptop', public_key: KEY }),
      already_exists: withWebspace(async (harness, { as, uuid }) => {
        const input = { name: 'Laptop', public_key: KEY };
        await harness.data('webspace/sftp-key-add', { as, input: { uuid, ...input } });
        return input;
      }),
      limit_reached: withWebspace(async (harness, webspace) => {
        await setLimits(
          `INSERT INTO webspace_sftp_keys (id, webspace_id, name, public_key, fingerprint, created_at)
           SELECT gen_random_uuid(), $1, 'key', 'key', 'SHA256:' || n, '2027-01-01' FROM generate_series(1, 20) n`,
        )(harness, webspace);
        return { name: 'Laptop', public_key: KEY };
      }),
    },
  },
  'webspace/sftp-key-remove': {
    succeeds: withWebspace(async (harness, { as, uuid }) => {
      const input = { uuid, name: 'Laptop', public_key: KEY };
      const { key_uuid } = await harness.data('webspace/sftp-key-add', { as, input });
      return { key_uuid };
    }),
    refuses: changeRefusals({ key_uuid: NOTHING }),
  },
  'webspace/backups': { succeeds: withWebspace(() => ({})), refuses: { not_found: unknownWith({}) } },
  'webspace/backup-create': {
    succeeds: withWebspace(() => ({})),
    refuses: {
      ...changeRefusals({}),
      conflict: withWebspace(
        setLimits(
          `INSERT INTO webspace_backups (id, webspace_id, kind, state, created_at)
           VALUES (gen_random_uuid(), $1, 'manual', 'pending', '2027-01-01')`,
        ),
      ),
      limit_reached: withWebspace(setLimits(`UPDATE services SET item = '${CLASSIC}' WHERE id = $1`)),
    },
  },
  'webspace/backup-restore': {
    succeeds: withWebspace(withBackup),
    refuses: {
      ...changeRefusals({ backup_uuid: NOTHING, confirm: 'nobody' }),
      confirmation_mismatch: withWebspace(async (harness, webspace) => ({
        ...(await withBackup(harness, webspace)),
        confirm: 'nobody else',
      })),
      conflict: withWebspace(async (harness, { uuid, username }) => {
        const { rows } = await harness.pool.pg.query<{ id: string }>(
          `INSERT INTO webspace_backups (id, webspace_id, kind, state, created_at)
           VALUES (gen_random_uuid(), $1, 'manual', 'failed', '2027-01-01') RETURNING id`,
          [uuid],
        );
        return { backup_uuid: rows[0]?.id, confirm: username };
      }),
    },
  },
  'webspace/logs': {
    succeeds: withWebspace(() => ({ kind: 'access' })),
    refuses: {
      not_found: unknownWith({}),
      backend_unavailable: withWebspace(async (harness, { uuid }) => {
        await harness.pool.pg.query(
          "INSERT INTO sandbox.faults (command, fault, server_id) VALUES ('site_logs', 'timeout_before', $1)",
          [uuid],
        );
        return {};
      }),
    },
  },
  'webspace/usage': {
    succeeds: withWebspace(() => ({})),
    refuses: {
      not_found: unknownWith({}),
      validation_failed: withWebspace(() => ({ from: '2027-02-02', to: '2027-01-01' })),
    },
  },
};
