import type { Bench, Case } from './cases.ts';
import { ledgerHolder } from './ledger-fill.ts';
import { requestFile } from './requests.ts';
import { httpSide, type Side } from './sides.ts';

const CONNECTIONS = 4;
const WARM_UP_SECONDS = 2;
const PER_PAGE = 25;

/** What a customer with a million lines may ask for, against the first page of all of them. */
const ASKED = [
  { name: 'page 10,000', query: 'page=10000', limit: 0.5 },
  { name: 'last year', query: 'from=2026-01-01&to=2026-12-31', limit: null },
  { name: 'one service', query: 'resource_uuid=', limit: null },
  { name: 'top-ups', query: 'type=topup', limit: 0.5 },
  { name: 'credits', query: 'direction=credit', limit: null },
  { name: 'debits', query: 'direction=debit', limit: null },
  { name: 'renewals', query: 'type=renewal', limit: 0.5 },
  { name: 'search', query: 'search=Panel', limit: 0.5 },
] as const;

/** `account/transactions` of a customer with 1,000,000 of 10,000,000 ledger lines. */
export function ledgerCases(bench: Bench): Case[] {
  return ASKED.map(({ name, query, limit }) => ({
    name: `account/transactions, ${name}`,
    connections: CONNECTIONS,
    limit,
    prepare: async () => ({ ours: await warm(bench, query), theirs: await warm(bench, 'page=1') }),
  }));
}

async function warm(bench: Bench, asked: string): Promise<Side> {
  const { database, hostkeep } = await bench.ledger();
  const { token, resource } = await ledgerHolder(database);
  const query = asked.endsWith('=') ? `${asked}${resource}` : asked;
  const request =
    `GET /api/v2/account/transactions?per_page=${PER_PAGE}&${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Bearer ${token}\r\nAccept: application/json\r\n\r\n`;
  const side = httpSide({
    generator: bench.generator,
    postgres: bench.postgres,
    server: hostkeep,
    requests: requestFile(bench.postgres.directory, `transactions-${asked.replace(/\W/g, '-')}`, [request]),
    connections: CONNECTIONS,
  });
  await side(WARM_UP_SECONDS);
  return side;
}
