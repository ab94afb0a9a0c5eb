import { z } from 'zod';
import { ipAddress, timestamp } from '../../api/field.ts';
import { canonicalAddress } from '../../base/ip.ts';
import { wireTime } from '../../base/time.ts';
import { licenseKeyHash } from '../../business/licenses/key.ts';
import {
  loadByKeys,
  markValidated,
  type ValidatedLicense,
  verdictOf,
} from '../../business/licenses/validate.ts';
import { operation } from '../../operation.ts';

const LEASE_HOURS = 24;

export default operation({
  method: 'POST',
  path: 'panel/validate',
  summary: 'Ask whether a license is in force',
  description:
    'Called by the licensed product. `signed` is a JWS (EdDSA) over the answer and the nonce; verify it with the key of `panel/public-key`.',
  audience: 'public',
  scope: null,
  effect: 'none',
  input: z.strictObject({
    license_key: z.string().min(1).max(64),
    ip_address: ipAddress.optional().describe("The address the product runs on; default: the caller's."),
    version: z.string().max(64).optional().describe('The version of the product.'),
    nonce: z.string().min(8).max(128).describe('Chosen by the product; comes back in the signed answer.'),
  }),
  output: z.object({
    valid: z.boolean(),
    reason: z.enum(['active', 'not_found', 'expired', 'suspended', 'ip_not_bound', 'ip_limit_reached']),
    expire_at: timestamp.nullable(),
    features: z.array(z.string()),
    lease_until: timestamp.nullable().describe('Until when the product may go on without asking again.'),
    signed: z.string(),
    key_id: z.string(),
  }),
  message: { en: 'The license was checked.', de: 'Die Lizenz wurde geprüft.' },
  errors: [],
  secrets: ['license_key'],
  example: { input: { license_key: 'HK-00000-00000-00000-00000-00000', nonce: 'b1946ac92492d2347c62' } },
  batch: {
    load: (tx, items): Promise<Map<string, ValidatedLicense>> =>
      loadByKeys(
        tx,
        items.map(({ input }) => input.license_key),
      ),
    decide(licenses, ctx, input) {
      const { now } = ctx.uow;
      const license = licenses.get(licenseKeyHash(input.license_key).toString('hex'));
      const pack = license === undefined ? undefined : ctx.catalog.licensePackages.get(license.item);
      const address = input.ip_address ?? canonicalAddress(ctx.ip);
      const reason = verdictOf(license, address, pack?.ip_limit ?? 0, now);
      const valid = reason === 'active' && license !== undefined;
      const lease = now.add({ hours: LEASE_HOURS });
      const until =
        valid && Temporal.Instant.compare(license.expire_at, lease) < 0 ? license.expire_at : lease;
      if (license !== undefined && valid) markValidated(ctx.uow, license);
      const answer = {
        valid,
        reason,
        expire_at: license === undefined ? null : wireTime(license.expire_at),
        features: valid ? (pack?.features ?? []) : [],
        lease_until: valid ? wireTime(until) : null,
      };
      return {
        ...answer,
        signed: ctx.signer.jws({
          ...answer,
          ip_address: address,
          nonce: input.nonce,
          issued_at: wireTime(now),
        }),
        key_id: ctx.signer.keyId,
      };
    },
  },
});
