import { parseArgs } from 'node:util';
import { createStaff } from '../backend/src/business/core/accounts/customer.ts';
import { transaction } from '../backend/src/db/transaction.ts';
import type { Operation } from '../backend/src/operation.ts';
import staffTicketList from '../backend/src/operations/staff/ticket-list.ts';
import ticketDetails from '../backend/src/operations/ticket/details.ts';
import ticketList from '../backend/src/operations/ticket/list.ts';
import ticketMessages from '../backend/src/operations/ticket/messages.ts';
import { type BenchDatabase, query, startPostgres } from './databases.ts';
import { openInProcess } from './in-process.ts';
import { inTurns, ROUNDS } from './in-turns.ts';
import { machine } from './machine.ts';
import { ASKER, BIG, COMMON, fillTickets, RARE } from './ticket-fill.ts';

const USAGE = `Usage: npm run bench:tickets -- [--messages 1000000] [--few 1000] [--seconds 2]

Lists and searches tickets among that many messages, and among few: what an answer costs must not grow with all that
others have written. Whole requests, less HTTP. Prints answers per second and the ratio of the two.`;

const LIMIT = 0.8;
const AT_ONCE = 4;

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    few: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

interface Side {
  readonly url: string;
  /** One request; throws unless it succeeds. */
  ask(operation: Operation, token: string, input: object): Promise<unknown>;
  readonly tokens: { readonly asker: string; readonly big: string; readonly staff: string };
  readonly ticket: string;
  close(): Promise<void>;
}

async function open(database: BenchDatabase): Promise<Side> {
  const { url } = database;
  const site = await openInProcess(database, {
    size: AT_ONCE,
    now: () => Temporal.Now.instant(),
    ports: () => ({}),
  });
  const { pool, ask, tokenOf } = site;
  const ownersToken = async (accountId: string) => {
    const { rows } = await query<{ id: string }>(url, 'SELECT id FROM users WHERE account_id = $1', [
      accountId,
    ]);
    return await tokenOf(accountId, rows[0]?.id ?? '');
  };
  const person = { email: 'staff@hosting.example', passwordHash: null, firstName: 'Ola', lastName: 'Nord' };
  const operator = await transaction(pool, (tx) =>
    createStaff(tx, { ...person, locale: 'en', timezone: 'UTC', staffRole: 'admin' }, Temporal.Now.instant()),
  );
  if (operator.kind !== 'created') throw new Error('there is an operator already');
  const { rows } = await query<{ id: string }>(url, 'SELECT id FROM tickets WHERE account_id = $1 LIMIT 1', [
    ASKER,
  ]);
  return {
    url,
    ask,
    tokens: {
      asker: await ownersToken(ASKER),
      big: await ownersToken(BIG),
      staff: await tokenOf(null, operator.userId),
    },
    ticket: rows[0]?.id ?? '',
    close: site.close,
  };
}

interface Question {
  readonly name: string;
  /** false: is only shown. */
  readonly claimed: boolean;
  readonly ask: (side: Side) => Promise<unknown>;
}

const QUESTIONS: readonly Question[] = [
  { name: 'ticket/list', claimed: true, ask: (s) => s.ask(ticketList, s.tokens.asker, {}) },
  {
    name: 'ticket/list, by state',
    claimed: true,
    ask: (s) => s.ask(ticketList, s.tokens.asker, { state: 'closed' }),
  },
  {
    name: 'ticket/list, search for a word that everybody uses',
    claimed: true,
    ask: (s) => s.ask(ticketList, s.tokens.asker, { search: COMMON }),
  },
  {
    name: 'ticket/details',
    claimed: true,
    ask: (s) => s.ask(ticketDetails, s.tokens.asker, { uuid: s.ticket }),
  },
  {
    name: 'ticket/messages',
    claimed: true,
    ask: (s) => s.ask(ticketMessages, s.tokens.asker, { uuid: s.ticket }),
  },
  {
    name: 'staff/ticket-list, the queue',
    claimed: true,
    ask: (s) => s.ask(staffTicketList, s.tokens.staff, {}),
  },
  {
    name: 'staff/ticket-list, search for a rare word',
    claimed: true,
    ask: (s) => s.ask(staffTicketList, s.tokens.staff, { sort: 'updated_at', search: RARE }),
  },
  {
    name: 'ticket/list, of who has a tenth of all messages',
    claimed: false,
    ask: (s) => s.ask(ticketList, s.tokens.big, {}),
  },
  {
    name: 'ticket/list, the same, search for that word',
    claimed: false,
    ask: (s) => s.ask(ticketList, s.tokens.big, { search: COMMON }),
  },
  {
    name: 'staff/ticket-list, all, the latest first',
    claimed: false,
    ask: (s) => s.ask(staffTicketList, s.tokens.staff, { sort: 'updated_at' }),
  },
  {
    name: 'staff/ticket-list, search for a word in every third message',
    claimed: false,
    ask: (s) => s.ask(staffTicketList, s.tokens.staff, { sort: 'updated_at', search: COMMON }),
  },
];

const postgres = await startPostgres();
try {
  const sides: Side[] = [];
  for (const messages of [Number(values.few), Number(values.messages)]) {
    const database = await postgres.create(`tickets_${messages}`);
    const begun = performance.now();
    await fillTickets(database, messages);
    console.log(
      `${messages.toLocaleString('en')} messages made in ${((performance.now() - begun) / 1000).toFixed(0)} s`,
    );
    sides.push(await open(database));
  }
  const [few, many] = sides;
  if (few === undefined || many === undefined) throw new Error('there are two sides');
  const [fewName, manyName] = [Number(values.few), Number(values.messages)].map((n) =>
    n.toLocaleString('en'),
  );
  console.log(`\n${machine(postgres.version)}`);
  console.log(`\nanswers per second at ${fewName} and at ${manyName} messages; ratio, at least ${LIMIT}\n`);
  let missed = 0;
  for (const question of QUESTIONS) {
    const { first, second, ratio } = await inTurns(
      () => question.ask(few),
      () => question.ask(many),
      (ROUNDS * Number(values.seconds)) / 2,
    );
    const verdict = !question.claimed ? 'shown' : ratio >= LIMIT ? 'met' : 'MISSED';
    if (verdict === 'MISSED') missed += 1;
    const figure = (perSecond: number) => perSecond.toFixed(0).padStart(6);
    console.log(
      `${figure(first)} ${figure(second)}  ${ratio.toFixed(2)} ${verdict.padEnd(6)}  ${question.name}`,
    );
  }
  await Promise.all(sides.map((side) => side.close()));
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
