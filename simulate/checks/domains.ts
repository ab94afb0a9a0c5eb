import { type Check, sqlCheck } from '../check.ts';

interface Registration {
  readonly name: string;
  readonly pending: boolean;
  /** Completed orders. */
  readonly registered: number;
  readonly restored: number;
  readonly transferred: number;
  readonly years: number;
  readonly living: boolean;
  readonly charges: readonly { kind: string; amount: number; years: number }[] | null;
}

/** What we paid a registry for a name, as far as it was not paid back. */
function kept({ charges }: Registration) {
  const left: { kind: string; amount: number; years: number }[] = [];
  for (const charge of charges ?? []) {
    if (charge.kind !== 'refund') left.push(charge);
    else {
      // The last of what has this price is what came back.
      const back = left.findLastIndex(({ amount }) => amount === -charge.amount);
      if (back >= 0) left.splice(back, 1);
    }
  }
  const count = (kind: string) => left.filter((charge) => charge.kind === kind).length;
  // Of a registration that has no end, nothing but its making is counted in years.
  const years = left.filter(({ kind }) => kind !== 'restore').reduce((sum, charge) => sum + charge.years, 0);
  return { create: count('create'), restore: count('restore'), transfer: count('transfer'), years };
}

const ENDLESS = /\.de$/;

const charged: Check = {
  name: 'a registry is paid for what customers paid for, once',
  async find({ pool }, { since }) {
    const { rows } = await pool.pg.query<Registration>(
      `SELECT v.name, bool_or(o.state = 'pending') AS pending,
         bool_or(v.state = 'active' AND s.state IN ('active', 'cancel_scheduled')) AS living,
         (count(*) FILTER (WHERE d.action = 'register' AND o.state = 'completed'))::int AS registered,
         (count(*) FILTER (WHERE d.action = 'restore' AND o.state = 'completed'))::int AS restored,
         (count(*) FILTER (WHERE d.action = 'transfer' AND o.state = 'completed'))::int AS transferred,
         coalesce(sum(d.years) FILTER (WHERE o.state = 'completed'), 0)::int AS years,
         (SELECT json_agg(json_build_object('kind', c.kind, 'amount', c.amount, 'years', c.years) ORDER BY c.id)
          FROM sandbox.registry_charges c WHERE c.domain = v.name AND c.registrar = 'hostkeep') AS charges
       FROM domains v JOIN services s ON s.id = v.id JOIN domain_orders d ON d.domain_id = v.id
         JOIN orders o ON o.id = d.order_id
       WHERE v.name IN (SELECT x.name FROM domains x JOIN orders y ON y.service_id = x.id WHERE y.created_at >= $1
         UNION SELECT domain FROM sandbox.registry_charges WHERE at >= $1)
       GROUP BY v.name`,
      [since.toString()],
    );
    return rows.filter(({ pending }) => !pending).flatMap((row) => problemsOf(row, this.name));
  },
};

function problemsOf(row: Registration, check: string): string[] {
  const { name, living, registered, restored, transferred, years } = row;
  const paid = kept(row);
  const wrong: string[] = [];
  if (paid.create > registered) wrong.push(`made ${paid.create} times, paid ${registered} times`);
  if (paid.restore > restored) wrong.push(`restored ${paid.restore} times, paid ${restored} times`);
  if (paid.transfer > transferred)
    wrong.push(`transferred ${paid.transfer} times, paid ${transferred} times`);
  if (living && registered + transferred !== 1)
    wrong.push(`lives, paid for ${registered + transferred} times`);
  if (!ENDLESS.test(name)) {
    // One more than customers paid for: the registry's own renewal, before it is paid or deleted in time.
    if (paid.years > years + 1) wrong.push(`${paid.years} years at the registry, ${years} paid for`);
    if (living && paid.years < years) wrong.push(`${paid.years} years at the registry, ${years} paid for`);
  }
  return wrong.map((what) => `${check}: ${name} ${what}`);
}

const OURS = `domains v JOIN services s ON s.id = v.id
  LEFT JOIN sandbox.registry_domains r ON r.name = v.name AND r.sponsor = 'hostkeep'`;
const UNDER_WAY = `EXISTS (SELECT FROM orders o WHERE o.service_id = v.id AND o.state = 'pending')`;
/** While its registry is out of reach; a job that fails at other times is a finding of its own. */
const TO_BE_CONVERGED = `EXISTS (SELECT FROM graphile_worker.jobs j WHERE j.key = 'domain.converge:' || v.id)`;

export default [
  charged,
  // A registry counts from when it was told, some hours after the order.
  sqlCheck(
    'what is paid is registered until then, and no longer',
    `SELECT v.name || ' paid until ' || s.expire_at || ', registered until ' || coalesce(r.expire_at::text, 'never') AS problem
     FROM ${OURS} WHERE $1::timestamptz IS NOT NULL AND v.state = 'active' AND s.state IN ('active', 'cancel_scheduled')
       AND s.expire_at > $2 AND NOT ${UNDER_WAY}
       AND (r.name IS NULL OR r.deleted_at IS NOT NULL OR v.tld <> 'de'
         AND r.expire_at NOT BETWEEN s.expire_at - interval '2 days' AND s.expire_at + interval '2 days')`,
  ),
  sqlCheck(
    'what nobody pays for is held, then deleted before its registry charges for good',
    `SELECT v.name || ' is ' || s.state || ' until ' || s.expire_at AS problem FROM ${OURS}
     WHERE $1::timestamptz IS NOT NULL AND v.state = 'active' AND s.state IN ('suspended', 'expired')
       AND NOT ${UNDER_WAY} AND NOT ${TO_BE_CONVERGED}
       AND (r.name IS NULL OR NOT r.client_statuses @> ARRAY['clientHold'] OR s.expire_at < $2::timestamptz - interval '41 days')`,
  ),
  sqlCheck(
    'no registration is ours that the books do not know',
    `SELECT r.name AS problem FROM sandbox.registry_domains r WHERE r.sponsor = 'hostkeep' AND r.deleted_at IS NULL
       AND $1::timestamptz IS NOT NULL AND NOT EXISTS (SELECT FROM domains v WHERE v.name = r.name
         AND v.state NOT IN ('transferred_out', 'deleted', 'failed'))`,
  ),
  sqlCheck(
    'what went to a rival, or is gone, is no service any more',
    `SELECT v.name || ' is ' || s.state AS problem FROM domains v JOIN services s ON s.id = v.id
     WHERE $1::timestamptz IS NOT NULL AND v.state IN ('transferred_out', 'deleted') AND s.state NOT IN ('deleted', 'cancelled')`,
  ),
];
