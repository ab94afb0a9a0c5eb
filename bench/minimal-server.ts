import { createDecipheriv, hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { answerCalls } from './process.ts';

/**
 * The baseline for reads: the least program that answers them. `node:http`, one prepared look-up of the token, one
 * prepared select of the row, and the same bytes as Hostkeep sends. No validation, no rates, no logs, no metrics.
 */
export interface MinimalStart {
  readonly url: string;
  readonly pool: number;
  readonly keyFile: string;
  /** What every license of the bench has in common, in the wire's form. */
  readonly package: object;
  readonly pricings: object;
}

export interface MinimalStarted {
  readonly port: number;
}

const TOKEN = `SELECT t.account_id, t.expires_at FROM tokens t JOIN users u ON u.id = t.user_id
  WHERE t.hash = $1 AND t.revoked_at IS NULL AND u.state = 'active'`;

// Times as text in the wire's form: a driver that parses them would only cost.
const LICENSE = `SELECT s.id, s.number::int AS number, s.custom_name, s.state, s.auto_renew, s.version,
    to_char(s.expire_at, 'YYYY-MM-DD HH24:MI:SS') AS expire_at,
    to_char(s.created_at, 'YYYY-MM-DD HH24:MI:SS') AS created_at,
    to_char(l.last_validated_at, 'YYYY-MM-DD HH24:MI:SS') AS last_validated_at, l.key_sealed,
    (SELECT json_agg(json_build_object('id', b.id, 'ip_address', host(b.ip_address), 'description', b.description,
       'created_at', to_char(b.created_at, 'YYYY-MM-DD HH24:MI:SS')) ORDER BY b.id)
     FROM license_bindings b WHERE b.license_id = s.id) AS bindings
  FROM services s JOIN licenses l ON l.id = s.id WHERE s.id = $1 AND s.account_id = $2`;

interface LicenseRow {
  id: string;
  number: number;
  custom_name: string | null;
  state: string;
  auto_renew: boolean;
  version: number;
  expire_at: string;
  created_at: string;
  last_validated_at: string | null;
  key_sealed: Buffer;
  bindings: object[] | null;
}

async function start(order: MinimalStart): Promise<MinimalStarted> {
  const pool = new pg.Pool({
    connectionString: order.url,
    max: order.pool,
    application_name: 'hostkeep-bench-minimal',
    options: '-c timezone=UTC -c role=hostkeep_app -c plan_cache_mode=force_generic_plan',
  });
  const open = opener(order.keyFile);

  async function answer(authorization: string, uuid: string): Promise<string | null> {
    const token = await pool.query<{ account_id: string; expires_at: Date | null }>({
      name: 'token',
      text: TOKEN,
      values: [hash('sha256', authorization.slice(7), 'buffer')],
    });
    const known = token.rows[0];
    if (known === undefined || (known.expires_at !== null && known.expires_at < new Date())) return null;
    const found = await pool.query<LicenseRow>({
      name: 'license',
      text: LICENSE,
      values: [uuid, known.account_id],
    });
    const row = found.rows[0];
    if (row === undefined) return null;
    const bindings = row.bindings ?? [];
    return JSON.stringify({
      response: 'The license was found.',
      state: 'success',
      code: 200,
      data: {
        uuid: row.id,
        id: row.number,
        license_key: open(row.key_sealed),
        state: row.state,
        state_text: 'Active',
        expire_at: row.expire_at,
        created_at: row.created_at,
        custom_name: row.custom_name,
        package: order.package,
        pricings: order.pricings,
        ip_bindings: bindings,
        ip_bindings_count: bindings.length,
        info: [],
        auto_renew: row.auto_renew,
        last_validated_at: row.last_validated_at,
        currency: 'EUR',
        version: row.version,
      },
    });
  }

  const server = createServer((request, response) => {
    const { url = '' } = request;
    answer(request.headers.authorization ?? '', url.slice(url.indexOf('uuid=') + 5)).then(
      (body) => {
        response.writeHead(body === null ? 404 : 200, {
          'ratelimit-limit': '10000000',
          'ratelimit-remaining': '9999999',
          'ratelimit-reset': '60',
          'x-request-id': '019a0000-0000-7000-8000-000000000000',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body ?? ''),
        });
        response.end(body);
      },
      (error: unknown) => {
        response.writeHead(500, { 'content-length': 0 });
        response.end();
        console.error(error);
      },
    );
  });
  server.keepAliveTimeout = 72_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
}

/** Opens AES-256-GCM values of the form `1 | id length | id | nonce 12 | tag 16 | ciphertext`. */
function opener(keyFile: string): (sealed: Buffer) => string {
  const file = JSON.parse(readFileSync(keyFile, 'utf8')) as { current: string; keys: Record<string, string> };
  const key = Buffer.from(file.keys[file.current] ?? '', 'base64');
  const purpose = Buffer.from('license-key');
  return (sealed) => {
    const at = 2 + (sealed[1] ?? 0);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(at, at + 12));
    decipher.setAAD(purpose);
    decipher.setAuthTag(sealed.subarray(at + 12, at + 28));
    return decipher.update(sealed.subarray(at + 28), undefined, 'utf8') + decipher.final('utf8');
  };
}

answerCalls(start);
