import { amountOf, divideRounded, type UnitPrice } from '../../base/money.ts';
import type { TermUnit } from '../../base/time.ts';
import type { OperatingSystem } from '../core/catalog/schema/operating-system.ts';
import type { Pricings } from '../core/catalog/schema/price.ts';
import type { CatalogVersion } from '../core/catalog/versions.ts';
import type { PriceLine } from '../selling/orders/price.ts';
import type { Configuration } from './configuration.ts';

/** What is sold: a package by its uuid, or a configuration of the customer's own (null). */
export interface PricedServer {
  readonly host: string;
  readonly packageUuid: string | null;
  readonly configuration: Configuration;
  /** null: without an operating system's license. */
  readonly os: string | null;
}

export interface ServerTerm {
  readonly duration: number;
  readonly unit: TermUnit;
  /** Renewals pay no set-up, and go on at the catalogue's price also when it sells no more of them. */
  readonly renewal: boolean;
}

/** One thing that is paid for as long as the server is, how many of it, and what one costs. */
interface Part {
  readonly description: string;
  readonly count: number;
  readonly pricings: Pricings;
}

const MIB_PER_GIB = 1024;
const UPLINK_UNIT = 100;
const MONTHS_PER_YEAR = 12n;
// The average month, which is what the field divides monthly prices by.
const HOURS_PER_MONTH = 730n;
const WHOLE = 10_000n;

/** What a server's price consists of; null when the catalogue does not have the package, host or system. */
function partsOf(catalog: CatalogVersion, server: PricedServer): Part[] | null {
  const host = catalog.hosts.get(server.host);
  const os = server.os === null ? null : catalog.operatingSystems.get(server.os);
  if (host === undefined || os === undefined) return null;
  const licenses = os === null || os.license_price === 0n ? [] : [licenseOf(os)];
  if (server.packageUuid !== null) {
    const pack = catalog.serverPackages.get(server.packageUuid);
    return pack === undefined
      ? null
      : [{ description: pack.name, count: 1, pricings: pack.pricings }, ...licenses];
  }
  const { cores, memory, disk, uplink, ipv4, backupSlots } = server.configuration;
  const units = host.unit_pricings;
  const parts = [
    { description: 'Core', count: cores, pricings: units.cores },
    { description: 'GiB of memory', count: memory / MIB_PER_GIB, pricings: units.memory_gib },
    { description: 'GiB of disk', count: disk, pricings: units.disk_gib },
    { description: '100 Mbit/s of uplink', count: uplink / UPLINK_UNIT, pricings: units.uplink_100mbit },
    { description: 'IPv4 address', count: ipv4, pricings: units.ipv4 },
    { description: 'Backup slot', count: backupSlots, pricings: units.backup_slot },
  ];
  return [...parts.filter((part) => part.count > 0), ...licenses];
}

function licenseOf({ displayname, license_price: month }: OperatingSystem): Part {
  const pricings = { year: month * MONTHS_PER_YEAR, month, hour: divideRounded(month, HOURS_PER_MONTH) };
  return { description: `${displayname} license`, count: 1, pricings };
}

/**
 * The lines of a server's term; null when it is not sold, or not for that term. A discount that the catalogue
 * gives for terms of this length is a line of its own, below zero.
 */
export function serverLines(
  server: PricedServer,
  term: ServerTerm,
): (catalog: CatalogVersion) => readonly PriceLine[] | null {
  return (catalog) => {
    const parts = partsOf(catalog, server);
    if (parts === null || !isSold(catalog, server, term)) return null;
    const lines: PriceLine[] = parts.map((part) => ({
      description: `${part.description} (${term.unit})`,
      quantity: part.count * term.duration,
      unitPrice: part.pricings[term.unit],
    }));
    const reduction = termDiscount(catalog, term, lines);
    if (reduction !== null) lines.push(reduction);
    const setup = server.packageUuid === null ? 0n : catalog.serverPackages.get(server.packageUuid)?.setup;
    if (!term.renewal && setup !== undefined && setup > 0n) {
      lines.push({ description: 'Set-up', quantity: 1, unitPrice: setup });
    }
    return lines;
  };
}

function isSold(catalog: CatalogVersion, server: PricedServer, term: ServerTerm): boolean {
  const pack = server.packageUuid === null ? null : catalog.serverPackages.get(server.packageUuid);
  const offered =
    pack?.durations.some((sold) => sold.duration === term.duration && sold.duration_unit === term.unit) ??
    true;
  if (term.renewal) return offered;
  const sold = pack?.sold ?? true;
  return (
    offered &&
    sold &&
    catalog.hosts.get(server.host)?.sold === true &&
    (server.os === null || catalog.operatingSystems.get(server.os)?.sold === true)
  );
}

function termDiscount(
  catalog: CatalogVersion,
  term: ServerTerm,
  lines: readonly PriceLine[],
): PriceLine | null {
  const discount = catalog.content.duration_discounts.find(
    (offer) => offer.duration === term.duration && offer.duration_unit === term.unit,
  );
  if (discount === undefined || discount.percent === 0) return null;
  const percent = discount.percent / 100;
  return {
    description: `${percent} % off for ${term.duration} ${term.unit}${term.duration === 1 ? '' : 's'}`,
    quantity: 1,
    unitPrice: -divideRounded(exactSum(lines) * BigInt(discount.percent), WHOLE),
  };
}

function exactSum(lines: readonly PriceLine[]): UnitPrice {
  return lines.reduce((sum, line) => sum + line.unitPrice * BigInt(line.quantity), 0n);
}

/**
 * What a server costs for a year, a month and an hour, without discounts; zeros when the catalogue has
 * forgotten what it was sold as. Years and months are in whole cents, as they are charged.
 */
export function serverPricings(catalog: CatalogVersion, server: PricedServer): Pricings {
  const parts = partsOf(catalog, server) ?? [];
  const sum = (unit: TermUnit): UnitPrice =>
    parts.reduce((total, part) => total + part.pricings[unit] * BigInt(part.count), 0n);
  return { year: inCents(sum('year')), month: inCents(sum('month')), hour: sum('hour') };
}

function inCents(price: UnitPrice): UnitPrice {
  return amountOf(price) * 100n;
}
