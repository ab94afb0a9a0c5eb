import type { Instant } from '../../../base/time.ts';
import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { nextHappening } from './life.ts';
import type { RegistryPolicy } from './policy.ts';
import type { Charge, Grace, Holding, Message, Registration, Transfer } from './registration.ts';

const COLUMNS = `id, name, sponsor, created_by AS "createdBy", created_at AS "createdAt", updated_by AS "updatedBy",
  updated_at AS "updatedAt", transferred_at AS "transferredAt", expire_at AS "expireAt", registrant, contacts, hosts, ds,
  client_statuses AS "clientStatuses", server_statuses AS "serverStatuses", authcode,
  authcode_expire_at AS "authcodeExpireAt", transfer_locked_until AS "transferLockedUntil", graces,
  deleted_at AS "deletedAt", restore_requested_at AS "restoreRequestedAt"`;

interface StoredGrace extends Omit<Grace, 'until' | 'amount'> {
  readonly until: string;
  readonly amount: string;
}
type Row = Omit<Registration, 'graces'> & { readonly graces: readonly StoredGrace[] };

const domainOf = statement<Row>(
  'sandbox_registry_domain',
  `SELECT ${COLUMNS} FROM sandbox.registry_domains WHERE name = $1 FOR UPDATE`,
);
const lastTransfer = statement<Transfer>(
  'sandbox_registry_transfer',
  `SELECT id, status, requested_by AS "requestedBy", requested_at AS "requestedAt", acted_by AS "actedBy",
     act_at AS "actAt", years, amount
   FROM sandbox.registry_transfers WHERE domain_id = $1 ORDER BY id DESC LIMIT 1`,
);

const VALUES = `$1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11, $12::jsonb, $13, $14, $15, $16, $17, $18::jsonb,
  $19, $20, $21`;
const STORED = `name, sponsor, created_by, created_at, updated_by, updated_at, transferred_at, expire_at, registrant,
  contacts, hosts, ds, client_statuses, server_statuses, authcode, authcode_expire_at, transfer_locked_until, graces,
  deleted_at, restore_requested_at, due_at`;

const update = statement<object>(
  'sandbox_registry_update',
  `UPDATE sandbox.registry_domains SET (${STORED}) = (${VALUES}) WHERE id = $22`,
);
const insert = statement<{ id: bigint }>(
  'sandbox_registry_insert',
  `INSERT INTO sandbox.registry_domains (${STORED}) VALUES (${VALUES})
   ON CONFLICT (name) DO NOTHING RETURNING id`,
);
const remove = statement<object>(
  'sandbox_registry_remove',
  // Name servers that other domains still need stay.
  `WITH hosts AS (DELETE FROM sandbox.registry_hosts h WHERE superordinate = $2
     AND NOT EXISTS (SELECT FROM sandbox.registry_domains d WHERE d.hosts @> ARRAY[h.name] AND d.id <> $1))
   DELETE FROM sandbox.registry_domains WHERE id = $1`,
);
const moveHosts = statement<object>(
  'sandbox_registry_move_hosts',
  'UPDATE sandbox.registry_hosts SET sponsor = $2 WHERE superordinate = $1',
);
const addTransfer = statement<object>(
  'sandbox_registry_add_transfer',
  `INSERT INTO sandbox.registry_transfers
     (domain_id, status, requested_by, requested_at, acted_by, act_at, years, amount)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);
const endTransfer = statement<object>(
  'sandbox_registry_end_transfer',
  'UPDATE sandbox.registry_transfers SET status = $2, act_at = $3, acted_by = $4 WHERE id = $1',
);
const addCharges = statement<object>(
  'sandbox_registry_add_charges',
  `INSERT INTO sandbox.registry_charges (registrar, domain, kind, amount, years, at)
   SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::int[], $6::timestamptz[])`,
);
const addMessages = statement<object>(
  'sandbox_registry_add_messages',
  `INSERT INTO sandbox.registry_messages (registrar, at, text, about)
   SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::jsonb[])`,
);

/** The domain and its last transfer as the books have them, locked until the transaction ends. */
export async function loadHolding(tx: Executor, name: string): Promise<Holding> {
  const [row] = await tx.run(domainOf, [name]);
  if (row === undefined) return { domain: null, transfer: null, charges: [], messages: [] };
  const [transfer] = await tx.run(lastTransfer, [row.id]);
  const graces = row.graces.map(
    ({ until, amount, ...grace }): Grace => ({
      ...grace,
      until: Temporal.Instant.from(until),
      amount: BigInt(amount),
    }),
  );
  return { domain: { ...row, graces }, transfer: transfer ?? null, charges: [], messages: [] };
}

/** Adds a domain with what its creation costs. false: somebody else registered it at the same moment. */
export async function addHolding(tx: Executor, holding: Holding, policy: RegistryPolicy): Promise<boolean> {
  const { domain } = holding;
  if (domain === null) return false;
  const added = await tx.run(insert, columns(domain, holding.transfer, policy));
  if (added.length === 0) return false;
  await keepRecords(tx, holding.charges, holding.messages);
  return true;
}

/** Writes what became of a holding since it was loaded. */
export async function saveHolding(
  tx: Executor,
  before: Holding,
  { domain, transfer, charges, messages }: Holding,
  policy: RegistryPolicy,
): Promise<void> {
  if (before.domain === null) return;
  const { id, name, sponsor } = before.domain;
  const moved = transfer !== before.transfer;
  // The transfers of a domain that is gone go with it.
  if (domain === null) await tx.run(remove, [id, name]);
  else if (domain !== before.domain || moved) {
    await tx.run(update, [...columns(domain, transfer, policy), id]);
    if (moved && transfer !== null) await saveTransfer(tx, id, transfer);
    if (domain.sponsor !== sponsor) await tx.run(moveHosts, [name, domain.sponsor]);
  }
  await keepRecords(tx, charges, messages);
}

async function saveTransfer(tx: Executor, domainId: bigint, transfer: Transfer): Promise<void> {
  const { id, status, requestedBy, requestedAt, actedBy, actAt, years, amount } = transfer;
  if (id === null)
    await tx.run(addTransfer, [domainId, status, requestedBy, requestedAt, actedBy, actAt, years, amount]);
  else await tx.run(endTransfer, [id, status, actAt, actedBy]);
}

async function keepRecords(
  tx: Executor,
  charges: readonly Charge[],
  messages: readonly Message[],
): Promise<void> {
  if (charges.length > 0) await tx.run(addCharges, chargeColumns(charges));
  if (messages.length > 0)
    await tx.run(addMessages, [
      messages.map(({ registrar }) => registrar),
      messages.map(({ at }) => at),
      messages.map(({ text }) => text),
      messages.map(({ about }) => JSON.stringify(about)),
    ]);
}

function chargeColumns(charges: readonly Charge[]): unknown[] {
  return [
    charges.map(({ registrar }) => registrar),
    charges.map(({ domain }) => domain),
    charges.map(({ kind }) => kind),
    charges.map(({ amount }) => amount),
    charges.map(({ years }) => years),
    charges.map(({ at }) => at),
  ];
}

function columns(domain: Registration, transfer: Transfer | null, policy: RegistryPolicy) {
  const due: Instant | null = nextHappening(domain, transfer, policy)?.at ?? null;
  return [
    domain.name,
    domain.sponsor,
    domain.createdBy,
    domain.createdAt,
    domain.updatedBy,
    domain.updatedAt,
    domain.transferredAt,
    domain.expireAt,
    domain.registrant,
    JSON.stringify(domain.contacts),
    domain.hosts,
    JSON.stringify(domain.ds),
    domain.clientStatuses,
    domain.serverStatuses,
    domain.authcode,
    domain.authcodeExpireAt,
    domain.transferLockedUntil,
    JSON.stringify(domain.graces.map((grace) => ({ ...grace, amount: grace.amount.toString() }))),
    domain.deletedAt,
    domain.restoreRequestedAt,
    due,
  ];
}
