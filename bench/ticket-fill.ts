import pg from 'pg';
import type { BenchDatabase } from './databases.ts';

/** What is asked for: of the one customer who asks, and words that few and many messages hold. */
export const ASKER = '01990000-0000-7000-8000-000000000001';
/** A customer who has a tenth of all messages. */
export const BIG = '01990000-0000-7000-8000-000000000002';
export const RARE = 'quittenmarmelade';
export const COMMON = 'server';

const PER_TICKET = 10;
const TICKETS_EACH = 10;
/** Of the one who asks, in any database. */
const ASKERS_TICKETS = 20;
const OPEN = 50;
const RARE_MESSAGES = 10;

/**
 * Fills a database with so many messages, ten a ticket and a hundred a customer, in the order of time; a tenth are one
 * customer's. Words are as frequent as in language: few are in every third message, most are rare. Fifty tickets are
 * open, whatever their number: that is what is being worked on.
 */
export async function fillTickets(database: BenchDatabase, messages: number): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const tickets = messages / PER_TICKET;
  try {
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
      SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 2; DROP INDEX ticket_messages_search`);
    await client.query(
      `CREATE TEMP TABLE holders AS
         SELECT n, CASE n WHEN 0 THEN $2::uuid WHEN 1 THEN $3::uuid ELSE uuidv7() END AS account_id, uuidv7() AS user_id
         FROM generate_series(0, $1::int + 1) n`,
      [Math.ceil(tickets / TICKETS_EACH), ASKER, BIG],
    );
    await client.query(`
      INSERT INTO accounts (id, state, currency, created_at)
        SELECT account_id, 'active', 'EUR', '2025-01-01' FROM holders;
      INSERT INTO users (id, account_id, email, first_name, last_name, locale, timezone, role, state, created_at)
        SELECT user_id, account_id, 't' || n || '@customer.example', 'A', 'Customer', 'en', 'UTC', 'owner', 'active',
          '2025-01-01' FROM holders`);
    await client.query(
      `CREATE TEMP TABLE asked AS
         SELECT i, uuidv7() AS id, h.account_id, h.user_id,
           timestamptz '2025-01-01' + i * interval '700 days' / $1::int AS at,
           -- Of the one who asks every fifth is answered, in any database.
           CASE WHEN h.n = 0 THEN CASE WHEN i / greatest($1::int / ${ASKERS_TICKETS}, 1) % 5 = 0 THEN 'answered' ELSE 'closed' END
             WHEN i % greatest($1::int / ${OPEN}, 1) = 0 THEN 'open' WHEN i % 5 = 0 THEN 'answered' ELSE 'closed' END AS state
         FROM generate_series(0, $1::int - 1) i
         JOIN holders h ON h.n = CASE
           WHEN i % greatest($1::int / ${ASKERS_TICKETS}, 1) = 1 THEN 0
           WHEN i % 10 = 2 THEN 1
           ELSE 2 + i % greatest($1::int / ${TICKETS_EACH} - 2, 1) END`,
      [tickets],
    );
    await client.query(`
      INSERT INTO tickets (id, account_id, requester_id, subject, department, priority, state, messages_seq,
          messages_count, last_message_at, last_author_type, last_excerpt, waiting_since, due_at, text_hash, created_at,
          updated_at, closed_at, reopenable_until)
        SELECT id, account_id, user_id, 'Question ' || i, 'technical', 'normal', state, ${PER_TICKET}, ${PER_TICKET},
          at + interval '1 day', 'staff', 'It works again.', CASE state WHEN 'open' THEN at END,
          CASE state WHEN 'open' THEN at + interval '4 hours' END, sha256(i::text::bytea), at, at + interval '1 day',
          CASE state WHEN 'closed' THEN at + interval '1 day' END, CASE state WHEN 'closed' THEN at + interval '15 days' END
        FROM asked ORDER BY i;
      INSERT INTO ticket_counts SELECT account_id, state, count(*) FROM tickets GROUP BY 1, 2;`);
    await client.query(
      `INSERT INTO ticket_messages (ticket_id, seq, id, account_id, author_type, author_name, internal, body, created_at)
       SELECT a.id, s, uuidv7(), a.account_id, CASE s % 2 WHEN 1 THEN 'customer' ELSE 'staff' END, 'A Name', false,
         (SELECT string_agg('wort' || (5000 * power(random(), 3))::int, ' ') FROM generate_series(1, 15 + 0 * (a.i + s)))
           || CASE (a.i * 7 + s) % 3 WHEN 0 THEN ' ${COMMON}' ELSE '' END
           || CASE WHEN s = 1 AND a.i % greatest($1::int / ${RARE_MESSAGES}, 1) = 0 THEN ' ${RARE}' ELSE '' END,
         a.at + s * interval '1 hour'
       FROM asked a, generate_series(1, ${PER_TICKET}) s ORDER BY a.i, s`,
      [tickets],
    );
    await client.query(
      'CREATE INDEX ticket_messages_search ON ticket_messages USING gin (search) WITH (fastupdate = off)',
    );
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
