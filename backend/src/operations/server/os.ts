import { z } from 'zod';
import { currency, money, uuid } from '../../api/field.ts';
import { wireUnitPrice } from '../../base/money.ts';
import type { OperatingSystem } from '../../business/core/catalog/schema/operating-system.ts';
import { type Server, server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'GET',
  path: 'server/os',
  summary: 'Operating systems for servers',
  description: 'With `host` or `uuid` only those that can be used there; `uuid` needs the owner’s token.',
  audience: 'public',
  scope: null,
  input: z.strictObject({
    host: z.string().max(63).optional(),
    uuid: uuid.optional().describe('One of your servers.'),
  }),
  output: z.object({
    os: z.array(
      z.object({
        name: z.string().describe('What `server/order` takes as `os`.'),
        displayname: z.string(),
        family: z.string(),
        version: z.string(),
        platform: z.enum(['linux', 'bsd', 'windows']),
        arch: z.enum(['x86_64', 'aarch64']),
        icon: z.string(),
        min_cores: z.int(),
        min_memory: z.int().describe('MiB'),
        min_disk: z.int().describe('GiB'),
        username: z.string(),
        cloud_init: z.boolean(),
        license_price: money.describe('A month; 0: none is needed.'),
        end_of_life: z.string().nullable().describe('`YYYY-MM-DD`'),
        deprecated: z.boolean(),
      }),
    ),
    currency,
    total: z.int(),
  }),
  message: { en: 'These operating systems are available.', de: 'Diese Betriebssysteme gibt es.' },
  errors: ['token_missing', 'not_found'],
  example: { input: {} },
  async read(ctx, input) {
    const { hosts, content } = ctx.catalog;
    let sold = content.operating_systems.filter((os) => os.sold);
    if (input.host !== undefined) {
      const arch = hosts.get(input.host)?.arch;
      sold = sold.filter((os) => os.arch === arch);
    }
    if (input.uuid !== undefined) {
      if (ctx.caller === null) throw ctx.refusal('token_missing');
      const { accountId, resourceAllowlist } = ctx.caller;
      const [found] = accountId === null ? [] : await server.load(ctx.db, [{ accountId, uuid: input.uuid }]);
      if (!found || resourceAllowlist?.includes(input.uuid) === false) throw ctx.refusal('not_found');
      const arch = hosts.get(found.host)?.arch;
      sold = sold.filter((os) => os.arch === arch && fits(os, found));
    }
    return { os: sold.map(wireSystem), currency: content.currency, total: sold.length };
  },
});

function fits(os: OperatingSystem, size: Server): boolean {
  return os.min_cores <= size.cores && os.min_memory <= size.memory && os.min_disk <= size.disk;
}

function wireSystem(os: OperatingSystem) {
  return {
    name: os.name,
    displayname: os.displayname,
    family: os.family,
    version: os.version,
    platform: os.platform,
    arch: os.arch,
    icon: os.icon,
    min_cores: os.min_cores,
    min_memory: os.min_memory,
    min_disk: os.min_disk,
    username: os.username,
    cloud_init: os.cloud_init,
    license_price: wireUnitPrice(os.license_price),
    end_of_life: os.end_of_life,
    deprecated: os.deprecated,
  };
}
