import { z } from 'zod';
import { ipAddress, uuid } from '../../api/field.ts';
import { task } from '../../api/task.ts';
import { isHostname } from '../../base/hostname.ts';
import { canonicalAddress } from '../../base/ip.ts';
import { DEFAULT_TTL } from '../../business/dns/zone/hosting.ts';
import { setPtrRecords } from '../../business/dns/zone/reverse.ts';
import {
  addressNames,
  MOST_NAMES,
  nameAddress,
  ownAddress,
} from '../../business/servers/network/address-name.ts';
import { addNameTask } from '../../business/servers/network/name-task.ts';
import { defaultName, reverseZoneOf } from '../../business/servers/network/reverse-name.ts';
import { server } from '../../business/servers/server.ts';
import { BackendUnavailable } from '../../drivers/outcome.ts';
import { operation } from '../../operation.ts';
import { emit, lockedAccount } from '../../unit-of-work/unit-of-work.ts';
import { mustBeOn } from './change.schema.ts';
import { mustBeNameable } from './reverse-name.schema.ts';

const DEADLINE_MS = 5_000;

export default operation({
  method: 'POST',
  path: 'server/ptr',
  summary: 'Give an address of a server a reverse name',
  description:
    'Single IPv6 addresses of the server’s network have names, at most 256. The answer says what was ' +
    'committed; the task ends when it is published. Names under domains of other customers, or of ours, are refused.',
  audience: 'customer',
  scope: 'server:write',
  input: z.strictObject({
    uuid,
    ip_address: ipAddress.describe('An IPv4 address of the server, or one IPv6 address in its network'),
    rdns: z.string().max(253).nullable().describe('A host name; null restores the default.'),
    check_forward: z
      .boolean()
      .default(false)
      .describe('Refuse the name unless it leads to the address in the public DNS.'),
  }),
  output: z.object({
    uuid,
    ip_address: z.string(),
    ip_version: z.union([z.literal(4), z.literal(6)]),
    rdns: z.string().nullable().describe('null: the address has no name.'),
    previous_rdns: z.string().nullable(),
    forward_confirmed: z.boolean().nullable().describe('null: it was not asked for.'),
    ttl: z.int().describe('Seconds'),
    task: task.nullable().describe('It ends when the name server has the name; null: nothing has changed.'),
  }),
  message: { en: 'The reverse name was set.', de: 'Der Reverse-Name wurde gesetzt.' },
  errors: [
    'not_found',
    'state_conflict',
    'ip_not_assigned',
    'rdns_invalid',
    'forward_mismatch',
    'limit_reached',
    'not_supported_by_backend',
    'backend_unavailable',
  ],
  example: {
    input: {
      uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11',
      ip_address: '203.0.113.10',
      rdns: 'mail.example.com',
    },
  },
  resource: server,
  async ask(ctx, { check_forward, rdns }) {
    if (!check_forward || rdns === null || !isHostname(rdns)) return [];
    try {
      return await ctx.ports.resolver.addresses(rdns.toLowerCase(), DEADLINE_MS);
    } catch (error) {
      if (error instanceof BackendUnavailable)
        throw ctx.refusal('backend_unavailable', { members: { backend: 'DNS' } });
      throw error;
    }
  },
  async handle(tx, ctx, input, found, forward) {
    mustBeOn(ctx, found);
    const own = await ownAddress(tx, found.id, input.ip_address);
    if (own === null) throw ctx.refusal('ip_not_assigned');
    const { address, family } = own;
    const zone = reverseZoneOf(ctx.catalog, found.host, address);
    if (zone === null) throw ctx.refusal('not_supported_by_backend', { members: { capability: 'rdns' } });
    const standard = defaultName(ctx.catalog, found.host, address);
    const name = input.rdns?.toLowerCase() ?? null;
    // Naming it as its pool does is the same as not naming it.
    const rdns = name === standard ? null : name;
    if (rdns !== null) await mustBeNameable(ctx, tx, ctx.catalog, rdns);
    const isChecked = input.check_forward && name !== null;
    if (isChecked && !forward.some((one) => canonicalAddress(one) === address))
      throw ctx.refusal('forward_mismatch', { members: { addresses: forward } });
    if (family === 6 && rdns !== null && own.rdns === null) {
      if ((await addressNames(tx, found.id)).length >= MOST_NAMES)
        throw ctx.refusal('limit_reached', { members: { limit: MOST_NAMES, limited: 'reverse names' } });
    }
    const answer = {
      uuid: found.id,
      ip_address: address,
      ip_version: family,
      rdns: rdns ?? standard,
      previous_rdns: own.rdns ?? standard,
      forward_confirmed: isChecked ? true : null,
      ttl: DEFAULT_TTL,
    };
    if (rdns === own.rdns) return { ...answer, task: null };
    await nameAddress(tx, own, rdns);
    const written = await setPtrRecords(tx, ctx.uow, zone, [{ address, target: answer.rdns }]);
    emit(ctx.uow, lockedAccount(ctx.uow, found.account_id), {
      type: 'server.rdns_changed',
      resource: { type: 'server', id: found.id },
      body: { ip_address: address, rdns: answer.rdns },
    });
    return { ...answer, task: written === null ? null : addNameTask(ctx.uow, found, written) };
  },
});
