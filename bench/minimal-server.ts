import { hash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import {
  type Constants,
  type MinimalAnswer,
  type MinimalOperation,
  minimalAnswers,
  opener,
} from './minimal-answers.ts';
import { answerCalls } from './process.ts';

/**
 * The baseline for reads: the least program that answers them. `node:http`, one prepared look-up of the token, one
 * prepared select of the row, and the same bytes as Hostkeep sends. No validation, no rates, no logs, no metrics.
 */
export interface MinimalStart {
  readonly url: string;
  readonly pool: number;
  readonly operation: MinimalOperation;
  readonly keyFile: string;
  readonly constants: Constants;
}

export interface MinimalStarted {
  readonly port: number;
}

const TOKEN = `SELECT t.account_id, t.expires_at FROM tokens t JOIN users u ON u.id = t.user_id
  WHERE t.hash = $1 AND t.revoked_at IS NULL AND u.state = 'active'`;

async function start({
  url,
  pool: max,
  operation,
  keyFile,
  constants,
}: MinimalStart): Promise<MinimalStarted> {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'hostkeep-bench-minimal',
    // What Hostkeep's own connections are set to.
    options: '-c timezone=UTC -c role=hostkeep_app -c plan_cache_mode=force_generic_plan',
  });
  const open = opener(keyFile);
  const { message, select, data } = minimalAnswers[operation] as MinimalAnswer<pg.QueryResultRow>;

  async function answer(authorization: string, uuid: string): Promise<string | null> {
    const token = await pool.query<{ account_id: string; expires_at: Date | null }>({
      name: 'token',
      text: TOKEN,
      values: [hash('sha256', authorization.slice(7), 'buffer')],
    });
    const known = token.rows[0];
    if (known === undefined || (known.expires_at !== null && known.expires_at < new Date())) return null;
    const found = await pool.query({ name: 'row', text: select, values: [uuid, known.account_id] });
    const row = found.rows[0];
    if (row === undefined) return null;
    return JSON.stringify({
      response: message,
      state: 'success',
      code: 200,
      data: data(row, constants, open),
    });
  }

  const server = createServer((request, response) => {
    const { url: target = '' } = request;
    answer(request.headers.authorization ?? '', target.slice(target.indexOf('uuid=') + 5)).then(
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
        console.error(error);
        response.writeHead(500, { 'content-length': 0 });
        response.end();
      },
    );
  });
  server.keepAliveTimeout = 72_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
}

answerCalls(start);
