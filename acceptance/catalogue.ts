import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Api } from './api.ts';
import { success } from './envelope.ts';
import { type Json, type JsonObject, listAt, numberAt, objectAt, stringAt } from './json.ts';

/** The license packages on offer, cheapest month first. */
export async function licensePackages(api: Api): Promise<JsonObject[]> {
  const data = success(await api.get('panel/packages', { per_page: 100 }));
  return listAt(data, '/packages')
    .map((entry) => objectAt(entry, ''))
    .sort((a, b) => numberAt(a, '/pricings/month') - numberAt(b, '/pricings/month'));
}

/** The cheapest package; with `ipLimit`, among those that allow at least so many addresses. */
export async function cheapestPackage(api: Api, ipLimit = 1): Promise<JsonObject> {
  const packages = await licensePackages(api);
  const found = packages.find((pack) => numberAt(pack, '/ip_limit') >= ipLimit);
  if (!found) assert.fail(`panel/packages offers nothing for ${ipLimit} addresses`);
  return found;
}

/** The documented request body of `panel/order`, for one month. */
export function licenseOrder(pack: Json, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    pack_uuid: stringAt(pack, '/uuid'),
    duration: 1,
    tos: true,
    cancellation: true,
    discount_code: '',
    ...more,
  };
}

/** Orders one license of the cheapest package that allows so many addresses; gives the order's payload. */
export async function orderedLicense(
  api: Api,
  more: Record<string, unknown> = {},
  ipLimit = 1,
): Promise<JsonObject> {
  return success(await api.post('panel/order', licenseOrder(await cheapestPackage(api, ipLimit), more)));
}

/** Request bodies of `server/order` for the cheapest package in stock on each host that has one. */
export async function serverOrders(api: Api): Promise<Record<string, unknown>[]> {
  const [prices, systems] = await Promise.all([api.get('server/prices'), api.get('server/os')]);
  const packages = listAt(success(prices), '/packages')
    .map((entry) => objectAt(entry, ''))
    .filter((pack) => pack.in_stock === true)
    .sort((a, b) => numberAt(a, '/pricings/month') - numberAt(b, '/pricings/month'));
  const offers = new Map<string, JsonObject>();
  for (const pack of packages) {
    const host = stringAt(pack, '/host');
    if (!offers.has(host)) offers.set(host, pack);
  }
  const available = listAt(success(systems), '/os');
  return [...offers].map(([host, pack]) => {
    const system = available.find(
      (os) =>
        numberAt(os, '/license_price') === 0 &&
        numberAt(os, '/min_cores') <= numberAt(pack, '/cores') &&
        numberAt(os, '/min_memory') <= numberAt(pack, '/memory') &&
        numberAt(os, '/min_disk') <= numberAt(pack, '/disk'),
    );
    if (!system) assert.fail(`no operating system fits ${JSON.stringify(pack)}`);
    return {
      host,
      pack_uuid: stringAt(pack, '/pack_uuid'),
      os: stringAt(system, '/name'),
      duration: 1,
      tos: true,
      cancellation: true,
    };
  });
}

export function hostname(): string {
  return `server-${randomUUID().slice(0, 8)}.example.com`;
}
