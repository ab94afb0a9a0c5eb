import { NO_RDNS_HOST } from '../harness.ts';
import type { Cases } from './case.ts';
import { locked, onServer, ordered, refusals, sql } from './server-change.ts';

const ISO = { iso: 'debian-13-netinst' };
/** A host whose servers cannot be rescued. */
const NO_RESCUE_HOST = NO_RDNS_HOST;

const FIREWALL = { rules: [{ direction: 'in', protocol: 'tcp', port_from: 22, action: 'accept' }] };

/** What servers start from beside their own disks, and what they let through. */
export const mediaCases: Cases = {
  'server/iso': { succeeds: onServer({}), refuses: { not_found: refusals({}).not_found } },
  'server/iso-attach': {
    succeeds: onServer({ ...ISO, boot: 'iso' }),
    refuses: { ...locked(ISO), validation_failed: onServer({ iso: 'none' }) },
  },
  'server/iso-detach': { succeeds: onServer({}), refuses: locked({}) },
  'server/firewall': { succeeds: onServer({}), refuses: { not_found: refusals({}).not_found } },
  'server/firewall-replace': {
    succeeds: onServer({ ...FIREWALL, policy_in: 'drop' }),
    refuses: { ...locked(FIREWALL), version_mismatch: onServer({ ...FIREWALL, expected_version: 7 }) },
  },
  'server/rescue': {
    succeeds: onServer({}),
    refuses: {
      ...locked({}),
      validation_failed: onServer({ ssh_keys: ['not a key'] }),
      not_supported_by_backend: async (harness) => {
        const as = await harness.customer();
        return { as, input: { uuid: await ordered(harness, as, NO_RESCUE_HOST) } };
      },
    },
  },
  'server/rescue-end': {
    succeeds: onServer(
      {},
      sql(
        'UPDATE servers SET rescue_since = (SELECT created_at FROM services s WHERE s.id = servers.id) WHERE id = $1',
      ),
    ),
    refuses: locked({}),
  },
};
