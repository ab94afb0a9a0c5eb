import assert from 'node:assert/strict';
import { test } from 'node:test';
import { camt, type WrittenEntry } from '../../../test/camt.ts';
import { type Customer, openFixture } from '../../../test/fixture.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';

const fixture = await openFixture();
const { pool } = fixture;
const requests = openRequests(fixture, {
  ports: {
    payment: { methods: () => ['bank'], transferInstructions: async () => null },
  } as never,
});
const token = await staffToken(fixture);

async function expected(who: Customer, amount = 25): Promise<{ uuid: string; reference: string }> {
  const { payment } = await requests.data('account/topup', { amount, method: 'bank' }, { token: who.secret });
  const { rows } = await pool.pg.query('SELECT reference FROM payments WHERE id = $1', [payment.uuid]);
  return { uuid: payment.uuid, reference: rows[0].reference };
}

let file = 0;
/** A statement whose entries no other has. */
const statement = (entries: readonly WrittenEntry[], version?: '02' | '08') => {
  file += 1;
  const named = entries.map((entry, at) => ({ ref: `F${file}-${at}`, ...entry }));
  return camt(named, version === undefined ? {} : { version });
};
const importing = (text: string) => requests.data('staff/bank-import', { camt: text }, { token });
const listed = async (search: string) =>
  (await requests.data('staff/bank-entries', { search }, { token })).entries;

test('a transfer with its reference is booked, whatever it looks like and whatever its amount', async () => {
  const who = await fixture.customer(0n);
  const { uuid, reference } = await expected(who);
  const other = await expected(who);
  const broken = other.reference.toLowerCase().replaceAll('-', ' ');
  const summary = await importing(
    statement([
      { amount: '25.00', remittance: reference },
      { amount: '7.31', remittance: [broken.slice(0, 6), broken.slice(6)] },
    ]),
  );
  assert.deepEqual(summary, { imported: 2, matched: 2, unmatched: 0, duplicates: 0 });
  assert.equal(await fixture.balanceOf(who), 32_31n);
  const { payment } = await requests.data('account/payment', { uuid }, { token: who.secret });
  assert.deepEqual([payment.state, payment.received], ['succeeded', 25]);
  const [entry] = await listed(reference);
  assert.deepEqual([entry.state, entry.payment_uuid, entry.customer_uuid], ['matched', uuid, who.accountId]);
  assert.ok(entry.transaction_uuid);
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('the same file, also as the other version and eight times at once, is booked once', async () => {
  const who = await fixture.customer(0n);
  const { reference } = await expected(who);
  const entries = [
    { amount: '10.00', remittance: reference, ref: 'same-1' },
    { amount: '10.00', remittance: reference, ref: null },
    { amount: '10.00', remittance: reference, ref: null },
  ];
  const files = Array.from({ length: 8 }, (_, at) => camt(entries, { version: at % 2 === 0 ? '02' : '08' }));
  const answers = await Promise.all(files.map((text) => importing(text)));
  assert.equal(
    answers.reduce((sum, answer) => sum + answer.imported, 0),
    3,
  );
  assert.equal(
    answers.reduce((sum, answer) => sum + answer.duplicates, 0),
    21,
  );
  assert.equal(await fixture.balanceOf(who), 30_00n, 'two equal transfers of one day are two');
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('what names no payment, several, another currency, or undoes something waits for an operator', async () => {
  const who = await fixture.customer(0n);
  const [one, other] = [await expected(who), await expected(who)];
  const summary = await importing(
    statement([
      { amount: '1.00', remittance: 'no reference QQ1' },
      { amount: '2.00', remittance: `${one.reference} ${other.reference} QQ1` },
      { amount: '3.00', remittance: `${one.reference} QQ1`, currency: 'CHF' },
      { amount: '4.00', remittance: `${one.reference} QQ1`, reversal: true },
      { amount: '5.00', remittance: `${one.reference} QQ1`, reversal: true, direction: 'DBIT' },
    ]),
  );
  assert.deepEqual(summary, { imported: 5, matched: 0, unmatched: 5, duplicates: 0 });
  assert.equal(await fixture.balanceOf(who), 0n);
  const notes = (await listed('QQ1')).map((entry: { note: string }) => entry.note).sort();
  assert.deepEqual(notes, ['', 'other currency', 'reversal', 'reversal', 'several references']);
});

test('a sum that other people may have paid parts of is booked to nobody', async () => {
  const who = await fixture.customer(0n);
  const { reference } = await expected(who);
  const whole = statement([{ amount: '30.00', remittance: `${reference} QQ3` }]);
  const transaction = /<TxDtls>.*<\/TxDtls>/s.exec(whole)?.[0] ?? '';
  const several = whole.replace(transaction, transaction + transaction.replace(reference, 'thanks'));
  assert.equal((await importing(several)).matched, 0);
  assert.equal(await fixture.balanceOf(who), 0n);
  const [entry] = await listed('QQ3');
  assert.deepEqual([entry.note, entry.amount], ['several transactions', 30]);
});

test('money that comes after its payment was given up is booked', async () => {
  const who = await fixture.customer(0n);
  const { uuid, reference } = await expected(who);
  await pool.pg.query("UPDATE payments SET state = 'cancelled' WHERE id = $1", [uuid]);
  await importing(statement([{ amount: '25.00', remittance: reference }]));
  assert.equal(await fixture.balanceOf(who), 25_00n);
});

test('an entry is booked to a customer by hand once', async () => {
  const who = await fixture.customer(0n);
  await importing(statement([{ amount: '19.90', remittance: 'for my server QQ2' }]));
  const [entry] = await listed('QQ2');
  const assign = { uuid: entry.uuid, customer_uuid: who.accountId };
  const ignored = await requests.data('staff/bank-ignore', { uuid: entry.uuid, note: 'whose?' }, { token });
  assert.deepEqual([ignored.state, ignored.note], ['ignored', 'whose?']);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => requests.call('staff/bank-assign', assign, { token })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
  assert.equal(await fixture.balanceOf(who), 19_90n);
  const { payments } = await requests.data('account/payments', {}, { token: who.secret });
  assert.deepEqual(
    [payments[0].method, payments[0].state, payments[0].received],
    ['bank', 'succeeded', 19.9],
  );
  await requests.refused('state_conflict', 'staff/bank-ignore', { uuid: entry.uuid }, { token });
  assert.deepEqual(await fixture.booksProblems(), []);
});

test('what cannot be imported is refused as a whole', async () => {
  const who = await fixture.customer(0n);
  const { reference } = await expected(who);
  const good = { amount: '25.00', remittance: reference };
  for (const text of [
    camt([good], { iban: 'DE89370400440532013000' }),
    `<!DOCTYPE x>${camt([good])}`,
    camt([good, { amount: 'a lot' }]),
    '<Document/>',
  ]) {
    await requests.refused('validation_failed', 'staff/bank-import', { camt: text }, { token });
  }
  assert.equal(await fixture.balanceOf(who), 0n);
});
