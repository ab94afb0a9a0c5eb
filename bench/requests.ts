import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LicensePackage } from '../backend/src/business/core/catalog/schema/packages.ts';
import type { BenchDatabase } from './databases.ts';
import type { Holder, Target } from './fill.ts';

/** Writes prepared HTTP requests to a file for the load generator and answers its name. */
export function requestFile(directory: string, name: string, requests: readonly string[]): string {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(requests), 'latin1');
  return file;
}

/** A GET as a client's library sends it, with the uuid in the query. */
export function getRequest(operation: string, { uuid, token }: Target): string {
  return (
    `GET /api/v2/${operation}?uuid=${uuid} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`
  );
}

/** The package that every license of the bench is. */
export function soldPackage({ catalog }: BenchDatabase): LicensePackage {
  const [pack] = catalog.license_packages;
  if (pack === undefined) throw new Error('the catalogue sells no license');
  return pack;
}

/** One order of a year's license for everyone. */
export function orderRequests(database: BenchDatabase, buyers: readonly Holder[]): string[] {
  const body = JSON.stringify({
    pack_uuid: soldPackage(database).uuid,
    duration: 1,
    duration_unit: 'year',
    tos: true,
    cancellation: true,
  });
  return buyers.map(
    ({ token }) =>
      `POST /api/v2/panel/order HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
      `Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}
