import { randomUUID } from 'node:crypto';
import { planFault } from '../../src/drivers/hypervisor/sandbox/fault.ts';
import type { Call, Caller, Harness } from '../harness.ts';
import type { Cases, Prepare } from './case.ts';
import { orderRefusals } from './ordering.ts';

const HOST = 'fra-epyc';
const HOSTNAME = 'web.example.com';
const WAIT = { prefer: 'wait=30' };

/** A server of its customer's own size, with a slot for backups. */
async function ordered(harness: Harness, as: Caller, change: object = {}): Promise<string> {
  const size = { cores: 1, memory: 1024, disk: 20, backup_slots: 1 };
  const terms = { duration: 1, tos: true, cancellation: true };
  const input = { host: HOST, ...size, ...change, os: 'debian-13', hostname: HOSTNAME, ...terms };
  return (await harness.data('server/order', { as, input, headers: WAIT })).server_uuid;
}

type Change = (harness: Harness, uuid: string, call: Call) => Promise<object | undefined>;

/** A call about a server that is there, with what `change` did to it and adds to its input. */
const onServer =
  (more: object, change: Change = async () => undefined): Prepare =>
  async (harness) => {
    const as = await harness.customer();
    const uuid = await ordered(harness, as);
    const call: Call = { as, input: { uuid, ...more } };
    return { as, input: { uuid, ...more, ...(await change(harness, uuid, call)) } };
  };

const inState: Change = async ({ pool }, uuid) => {
  await pool.pg.query("UPDATE services SET state = 'cancelled' WHERE id = $1", [uuid]);
  return undefined;
};

const busy: Change = async ({ pool, clock }, uuid) => {
  await pool.pg.query(
    `INSERT INTO tasks (id, account_id, type, state, resource_type, resource_id, created_at)
     SELECT gen_random_uuid(), account_id, 'server.power', 'running', 'server', id, $2 FROM services WHERE id = $1`,
    [uuid, clock.now().toString()],
  );
  return undefined;
};

const snapshots =
  (count: number): Change =>
  async ({ pool, clock }, uuid) => {
    await pool.pg.query(
      `INSERT INTO server_snapshots (id, server_id, name, state, created_at, taken_at)
       SELECT gen_random_uuid(), $1, '', 'available', $2, $2 FROM generate_series(1, $3)`,
      [uuid, clock.now().toString(), count],
    );
    return undefined;
  };

const backedUp: Change = async ({ pool, clock }, uuid) => {
  await pool.pg.query(
    `INSERT INTO server_backups (id, server_id, kind, name, state, size_bytes, created_at, finished_at)
     VALUES (gen_random_uuid(), $1, 'manual', '', 'available', 1, $2, $2)`,
    [uuid, clock.now().toString()],
  );
  return undefined;
};

/** Moves it to a node that has no room for anything. */
const full: Change = async ({ pool }, uuid) => {
  await pool.pg.query(
    `WITH node AS (
       INSERT INTO nodes (host, name, cores_total, cores_used, memory_total, memory_used, disk_total, disk_used, active)
       VALUES ($2, $1::text, 1, 1, 1024, 1024, 20, 20, false)),
     sandbox AS (INSERT INTO sandbox.full_nodes VALUES ($2, $1::text, 20, 0)),
     machine AS (UPDATE sandbox.machines SET node = $1::text WHERE server_id = $1::uuid)
     UPDATE servers SET node = $1::text WHERE id = $1::uuid`,
    [uuid, HOST],
  );
  return undefined;
};

const snapshot: Change = async (harness, uuid, { as }) => {
  const { snapshot_uuid } = await harness.data('server/snapshot-create', {
    as,
    input: { uuid },
    headers: WAIT,
  });
  return { snapshot_uuid };
};

const backup: Change = async (harness, uuid, { as }) => {
  const { backup_uuid } = await harness.data('server/backup-create', {
    as,
    input: { uuid },
    headers: WAIT,
  });
  return { backup_uuid };
};

const both =
  (...changes: readonly Change[]): Change =>
  async (harness, uuid, call) => {
    let added = {};
    for (const change of changes) added = { ...added, ...(await change(harness, uuid, call)) };
    return added;
  };

const protect: Change = async ({ pool }, uuid) => {
  await pool.pg.query('UPDATE servers SET protect_reinstall = true WHERE id = $1', [uuid]);
  return undefined;
};

const unknown =
  (more: object = {}): Prepare =>
  async (harness) => ({ as: await harness.customer(), input: { uuid: randomUUID(), ...more } });

/** How any work on a server is refused. */
const changeRefusals = (more: object) => ({
  not_found: unknown(more),
  state_conflict: onServer(more, inState),
  resource_locked: onServer(more, busy),
});

const SNAPSHOT = { snapshot_uuid: randomUUID() };
const BACKUP = { backup_uuid: randomUUID() };
const SCHEDULE = { schedule: { hour: 3, keep: 1 } };
const CONFIRMED = { confirm: HOSTNAME };
const LARGER = { cores: 2 };

const resizing = async (harness: Harness, as: Caller) => ({ uuid: await ordered(harness, as), ...LARGER });

/** It takes no code. */
function withoutCode({ discount_code_invalid: _, ...refuses }: ReturnType<typeof orderRefusals>) {
  return refuses;
}

export const diskCases: Cases = {
  'server/snapshots': { succeeds: onServer({}), refuses: { not_found: unknown() } },
  'server/snapshot-create': {
    succeeds: onServer({ name: 'first' }),
    refuses: {
      ...changeRefusals({}),
      limit_reached: onServer({}, snapshots(3)),
      out_of_stock: onServer({}, full),
      backend_unavailable: onServer({}, async ({ pool }) => {
        await planFault(pool, { command: 'capacity', fault: 'timeout_before' });
        return undefined;
      }),
    },
  },
  'server/snapshot-delete': { succeeds: onServer({}, snapshot), refuses: changeRefusals(SNAPSHOT) },
  'server/snapshot-restore': {
    succeeds: onServer(CONFIRMED, snapshot),
    refuses: {
      ...changeRefusals({ ...SNAPSHOT, ...CONFIRMED }),
      confirmation_mismatch: onServer({ confirm: 'other.example.com' }, snapshot),
      resource_protected: onServer(CONFIRMED, both(snapshot, protect)),
    },
  },
  'server/backups': { succeeds: onServer({}), refuses: { not_found: unknown() } },
  'server/backup-create': {
    succeeds: onServer({}),
    refuses: { ...changeRefusals({}), limit_reached: onServer({}, backedUp) },
  },
  'server/backup-delete': { succeeds: onServer({}, backup), refuses: changeRefusals(BACKUP) },
  'server/backup-restore': {
    succeeds: onServer(CONFIRMED, backup),
    refuses: {
      ...changeRefusals({ ...BACKUP, ...CONFIRMED }),
      confirmation_mismatch: onServer({ confirm: 'other.example.com' }, backup),
      resource_protected: onServer(CONFIRMED, both(backup, protect)),
    },
  },
  'server/backup-schedule': {
    succeeds: onServer(SCHEDULE),
    refuses: {
      not_found: unknown(SCHEDULE),
      state_conflict: onServer(SCHEDULE, inState),
      limit_reached: onServer({ schedule: { hour: 3, keep: 2 } }),
    },
  },
  'server/resize': {
    succeeds: onServer(LARGER),
    refuses: {
      ...withoutCode(orderRefusals(resizing)),
      ...changeRefusals(LARGER),
      validation_failed: onServer({ disk: 1 }),
      os_requirements_not_met: async (harness) => {
        const as = await harness.customer();
        const uuid = await ordered(harness, as, { cores: 2 });
        await harness.pool.pg.query("UPDATE servers SET os = 'rocky-9' WHERE id = $1", [uuid]);
        return { as, input: { uuid, cores: 1 } };
      },
      out_of_stock: onServer(LARGER, full),
      snapshots_in_the_way: onServer({ disk: 30 }, snapshots(1)),
      limit_reached: onServer({ backup_slots: 0 }, backedUp),
    },
  },
};
