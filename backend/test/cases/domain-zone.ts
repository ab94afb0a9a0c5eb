import { randomUUID } from 'node:crypto';
import type { Cases, OperationCases } from './case.ts';
import { registered, unknownDomain, withDomain } from './registered-domain.ts';

const www = { action: 'create', name: 'www', type: 'A', content: '192.0.2.1' };

function zoneRefusals(input: Record<string, unknown> = {}): OperationCases['refuses'] {
  return {
    not_found: unknownDomain(input),
    zone_not_hosted: withDomain(
      () => input,
      "UPDATE zones SET removed_at = '2027-01-15' WHERE domain_id = $1",
    ),
  };
}

function changedZoneRefusals(input: Record<string, unknown>): OperationCases['refuses'] {
  return {
    version_mismatch: withDomain(() => ({ ...input, expected_version: 77 })),
    state_conflict: withDomain(() => input, "UPDATE zones SET remove_at = '2028-01-15' WHERE domain_id = $1"),
  };
}

export const zoneCases: Cases = {
  'domain/dns-records': { succeeds: withDomain(), refuses: zoneRefusals() },
  'domain/dns-history': { succeeds: withDomain(), refuses: zoneRefusals() },
  'domain/dns-update': {
    succeeds: withDomain(() => ({ changes: [www] })),
    refuses: {
      ...zoneRefusals({ changes: [www] }),
      ...changedZoneRefusals({ changes: [www] }),
      dns_record_invalid: withDomain(() => ({ changes: [{ ...www, content: '192.0.2.300' }] })),
      not_supported_for_tld: withDomain(
        () => ({ dnssec: true }),
        "UPDATE domains SET tld = 'not-sold-any-more' WHERE id = $1",
      ),
    },
  },
  'domain/dns-rollback': {
    succeeds: async (harness) => {
      const as = await harness.customer();
      const { uuid } = await registered(harness, as);
      const { previous_revision_uuid } = await harness.data('domain/dns-update', {
        as,
        input: { uuid, changes: [www] },
        headers: { prefer: 'wait=30' },
      });
      return { as, input: { uuid, revision_uuid: previous_revision_uuid } };
    },
    refuses: {
      ...zoneRefusals({ revision_uuid: randomUUID() }),
      ...changedZoneRefusals({ revision_uuid: randomUUID() }),
      dns_record_invalid: async (harness) => {
        const as = await harness.customer();
        const { uuid } = await registered(harness, as);
        // Each is published before the next: so nothing else is at the account's lock.
        const update = (input: object) =>
          harness.data('domain/dns-update', {
            as,
            input: { uuid, ...input },
            headers: { prefer: 'wait=30' },
          });
        const { diff, revision_uuid } = await update({ changes: [www] });
        await update({ changes: [{ action: 'delete', id: diff.added[0].id }] });
        // The name is the system's by now.
        await harness.pool.pg.query(
          `INSERT INTO zone_records (id, zone_id, name, type, content, ttl, disabled, managed_by)
           SELECT gen_random_uuid(), id, 'www', 'CNAME', 'elsewhere.example.', 3600, false, 'system'
           FROM zones WHERE domain_id = $1`,
          [uuid],
        );
        return { as, input: { uuid, revision_uuid } };
      },
    },
  },
};
