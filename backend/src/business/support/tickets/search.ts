import type { Executor } from '../../../db/pool.ts';
import { statement } from '../../../db/statement.ts';
import { parseTicketNumber } from './ticket.ts';

/** So many of the newest messages are looked through before the index of words is asked. */
const NEWEST = 1_000;
/** A word that so many of them hold is in very many messages: nobody reads on from these. */
const COMMON = 100;
/** Of what the index finds, the newest. */
const MOST_HITS = 2_000;

const QUERY = `(plainto_tsquery('simple', $1) || plainto_tsquery('english', $1) || plainto_tsquery('german', $1))`;

interface Hit {
  readonly ticket_id: string;
}

interface Looked {
  /** How many messages there were to look through; fewer than asked for: that is all of them. */
  readonly looked: number;
  readonly hits: number;
  readonly tickets: readonly string[] | null;
}

// Back through time first, which costs the same however much was ever written: the index would have to go through all
// that hold a frequent word to tell the newest.
const newest = (whose: 'own' | 'all', shown: string, order: string) =>
  statement<Looked>(
    `search_newest_${whose}`,
    `SELECT count(*)::int AS looked, count(*) FILTER (WHERE hit)::int AS hits,
       array_agg(DISTINCT ticket_id) FILTER (WHERE hit) AS tickets
     FROM (SELECT m.ticket_id, m.search @@ (SELECT ${QUERY}) AS hit FROM ticket_messages m
           ${shown} ORDER BY ${order} LIMIT ${NEWEST}) n`,
  );
// By the index: any of what it finds, which is quick where that is all of it; and else the newest.
const byWord = (whose: 'own' | 'all', which: 'any' | 'newest', query: string, shown: string) =>
  statement<Hit>(
    `search_${which}_words_${whose}`,
    `SELECT h.ticket_id FROM (
       SELECT m.ticket_id, m.account_id, m.internal FROM ticket_messages m
       WHERE m.search @@ (${query}) AND numnode(${QUERY}) > 0
       ${which === 'any' ? `LIMIT ${MOST_HITS + 1}` : `ORDER BY m.created_at DESC LIMIT ${MOST_HITS}`}) h
     ${shown}`,
  );
const byWords = (whose: 'own' | 'all', query: string, shown: string) => ({
  any: byWord(whose, 'any', query, shown),
  newest: byWord(whose, 'newest', query, shown),
});

const ofAccount = {
  newest: newest('own', 'WHERE m.account_id = $2 AND NOT m.internal', 'm.account_id DESC, m.created_at DESC'),
  // The account is a word of what its customer sees, which no text can hold: the index finds both together. That it is
  // theirs is looked at all the same.
  byWords: byWords('own', `$3::tsquery && ${QUERY}`, 'WHERE h.account_id = $2 AND NOT h.internal'),
};
const ofAll = {
  newest: newest('all', '', 'm.created_at DESC'),
  byWords: byWords('all', QUERY, ''),
};
const numbered = statement<Hit>(
  'search_number',
  'SELECT id AS ticket_id FROM tickets WHERE number = $1 AND ($2::uuid IS NULL OR account_id = $2)',
);

/**
 * The tickets in which somebody said these words: all of them in one message, as they stand there or as other forms of
 * the same words in English or German; and the ticket of that number. Of words that very many messages hold, those of
 * the newest messages. `accountId`: among what this customer sees; null: of everybody, notes included.
 */
export async function ticketsWith(
  db: Executor,
  words: string,
  accountId: string | null,
): Promise<readonly string[]> {
  const number = parseTicketNumber(words);
  const [found, named] = await Promise.all([
    ticketsSaying(db, words, accountId),
    number === null ? [] : db.run(numbered, [number, accountId]),
  ]);
  return [...new Set([...found, ...named.map(({ ticket_id }) => ticket_id)])];
}

async function ticketsSaying(
  db: Executor,
  words: string,
  accountId: string | null,
): Promise<readonly string[]> {
  const { newest, byWords } = accountId === null ? ofAll : ofAccount;
  const values = accountId === null ? [words] : [words, accountId];
  const [looked] = await db.run(newest, values);
  if (looked === undefined || looked.looked < NEWEST || looked.hits >= COMMON) return looked?.tickets ?? [];
  const indexed = accountId === null ? values : [...values, `'account ${accountId}'`];
  const some = await db.run(byWords.any, indexed);
  const hits = some.length <= MOST_HITS ? some : await db.run(byWords.newest, indexed);
  return hits.map(({ ticket_id }) => ticket_id);
}
