import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './fill.ts';

/** Writes prepared HTTP requests to a file for the load generator and answers its name. */
export function requestFile(directory: string, name: string, requests: readonly string[]): string {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify(requests), 'latin1');
  return file;
}

/** A GET as a client's library sends it, with the uuid in the query. */
export function getRequest(operation: string, target: Target): string {
  return (
    `GET /api/v2/${operation}?uuid=${target.uuid} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Bearer ${target.token}\r\nAccept: application/json\r\n\r\n`
  );
}

export function postRequest(operation: string, token: string, body: string): string {
  return (
    `POST /api/v2/${operation} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
    `Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
