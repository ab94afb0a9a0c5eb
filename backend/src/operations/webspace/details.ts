import { z } from 'zod';
import { currency, pricings, timestamp, uuid } from '../../api/field.ts';
import { wirePricings } from '../../api/order.ts';
import { datacenter, serviceState } from '../../api/server.ts';
import { wireTime } from '../../base/time.ts';
import { stateText } from '../../business/selling/subscriptions/service.ts';
import { countDomains } from '../../business/webspaces/names/hostname.ts';
import { webspacePricings } from '../../business/webspaces/price.ts';
import { trafficOfMonth } from '../../business/webspaces/usage/usage.ts';
import { mainHostname, webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';
import {
  domainObject,
  limits,
  packageObject,
  wireDomain,
  wireLimits,
  wirePackage,
} from './webspace.schema.ts';

const BYTES_PER_GIB = 1024n ** 3n;

export default operation({
  method: 'GET',
  path: 'webspace/details',
  summary: 'A webspace: its package, its names, how to get in',
  description:
    '`usage` and `limits`: disk MiB, traffic GiB in this month. `domain` is the name that it goes by: the first of ' +
    'your own that is proven, else the one that every webspace gets. The password is never shown here.',
  audience: 'customer',
  scope: 'webspace:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    id: z.int(),
    domain: z.string(),
    custom_name: z.string().nullable(),
    state: serviceState,
    state_text: z.string(),
    package: packageObject,
    limits,
    usage: z.object({
      disk: z.int(),
      traffic: z.int(),
      domains: z.int(),
      mailboxes: z.int(),
      databases: z.int(),
      ftp_accounts: z.int(),
    }),
    expire_at: timestamp,
    created_at: timestamp,
    auto_renew: z.boolean(),
    pricings,
    currency,
    host: z.object({
      hostname: z.string(),
      ip_address: z.string(),
      ipv6_address: z.string().nullable(),
      datacenter,
    }),
    access: z.object({
      panel_url: z.string(),
      username: z.string(),
      sftp: z.object({ host: z.string(), port: z.int(), fingerprints: z.array(z.string()) }),
      ssh: z.boolean(),
      mysql: z.object({ host: z.string(), port: z.int() }).describe('As programs of the webspace reach it.'),
      sso: z.boolean(),
    }),
    php_version: z.string(),
    domains: z.array(domainObject),
    nameservers: z.array(z.string()),
    version: z.int(),
  }),
  message: { en: 'The webspace was found.', de: 'Der Webspace wurde gefunden.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: webspace,
  async read(ctx, _input, found) {
    const host = ctx.catalog.webHosts.get(found.host);
    const place = ctx.catalog.datacenters.get(host?.datacenter ?? '');
    const [traffic, known] = await Promise.all([
      trafficOfMonth(ctx.db, found.id, ctx.now),
      ctx.db.kysely
        .selectFrom('web_hosts')
        .select('sftp_fingerprints')
        .where('name', '=', found.host)
        .executeTakeFirst(),
    ]);
    const own = found.domains.filter(({ proof }) => proof !== 'provider');
    return {
      uuid: found.id,
      id: Number(found.number),
      domain: mainHostname(found.domains),
      custom_name: found.custom_name,
      state: found.state,
      state_text: stateText(found.state, ctx.locale),
      package: wirePackage(ctx.catalog, found.item),
      limits: wireLimits(ctx.catalog, found),
      usage: {
        disk: found.disk_used,
        traffic: Number(traffic / BYTES_PER_GIB),
        domains: countDomains(own.map(({ hostname }) => hostname)),
        mailboxes: 0,
        databases: found.databases,
        ftp_accounts: 0,
      },
      expire_at: wireTime(found.expire_at),
      created_at: wireTime(found.created_at),
      auto_renew: found.auto_renew,
      pricings: wirePricings(webspacePricings(ctx.catalog, found.item)),
      currency: ctx.catalog.content.currency,
      host: {
        hostname: host?.hostname ?? '',
        ip_address: host?.ip_address ?? '',
        ipv6_address: host?.ipv6_address ?? null,
        datacenter: { name: place?.name ?? '', country: place?.country ?? '', city: place?.city ?? '' },
      },
      access: {
        panel_url: ctx.publicUrl,
        username: found.username,
        sftp: {
          host: host?.hostname ?? '',
          port: host?.sftp_port ?? 22,
          fingerprints: known?.sftp_fingerprints ?? [],
        },
        ssh: false,
        mysql: { host: host?.database.host ?? '', port: host?.database.port ?? 3306 },
        sso: false,
      },
      php_version: found.php_version,
      domains: found.domains.map(wireDomain),
      nameservers: host?.nameservers ?? [],
      version: found.version,
    };
  },
});
