import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFixture } from '../../../test/fixture.ts';
import { openInvoicing } from '../../../test/invoicing.ts';
import { openRequests, staffToken } from '../../../test/requests.ts';
import { issueToken, newTokenSecret } from '../../business/core/access/token.ts';

const fixture = await openFixture();
const { clock, customer, pool } = fixture;
const { order, refund, issue, invoices } = openInvoicing(fixture);
const { data, refused } = openRequests(fixture);

interface Listed {
  uuid: string;
  number: string;
  kind: string;
  gross: number;
  corrects: { uuid: string; number: string } | null;
}

async function invoiced(times: number) {
  const who = await customer(100_000n);
  const orders: string[] = [];
  for (let time = 0; time < times; time += 1) {
    orders.push(await order(who));
    await issue();
    clock.set(clock.now().add({ seconds: 1 }));
  }
  return { who, orders };
}

test('a customer sees all of their invoices and nobody else’s, the newest first, in pages', async () => {
  const { who } = await invoiced(3);
  await invoiced(1);
  const { invoices: page, pagination } = await data(
    'account/invoices',
    { per_page: 2 },
    { token: who.secret },
  );
  const numbers = (await invoices(who)).map(({ number }) => number).reverse();
  assert.deepEqual(
    page.map(({ number }: Listed) => number),
    numbers.slice(0, 2),
  );
  assert.deepEqual(pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
  const second = await data('account/invoices', { per_page: 2, page: 2 }, { token: who.secret });
  assert.deepEqual(
    second.invoices.map(({ number }: Listed) => number),
    numbers.slice(2),
  );
});

test('they are found by kind, year and how the number begins', async () => {
  const { who, orders } = await invoiced(1);
  await refund(orders[0] ?? '');
  await issue();
  const find = async (filter: object) =>
    (await data('account/invoices', filter, { token: who.secret })).invoices as Listed[];
  const [note] = await find({ kind: 'credit_note' });
  const [invoice] = await find({ kind: 'invoice' });
  assert.deepEqual(note?.corrects, { uuid: invoice?.uuid, number: invoice?.number });
  assert.equal(note?.gross, 3.99);
  assert.equal((await find({ year: 2027 })).length, 2);
  assert.equal((await find({ year: 2026 })).length, 0);
  assert.deepEqual(await find({ search: 'cn-2027' }), [note]);
  assert.equal((await find({ search: '%' })).length, 0);
});

test('one invoice is told whole: what was sold, to whom, by whom, taxed how', async () => {
  const { who } = await invoiced(1);
  const [kept] = await invoices(who);
  const found = await data('account/invoice', { uuid: kept?.id }, { token: who.secret });
  assert.equal(found.number, kept?.number);
  assert.deepEqual([found.net, found.tax, found.gross, found.tax_rate], [3.35, 0.64, 3.99, 19]);
  assert.equal(found.lines.length, 1);
  assert.equal(found.lines[0].net, 3.35);
  assert.equal(found.buyer.name, 'Test Customer');
  assert.equal(found.seller.vat_id, 'DE136695976');
  assert.match(found.pdf_url, /^https:\/\/hostkeep\.example\/download\//);
  const other = await customer(0n);
  await refused('not_found', 'account/invoice', { uuid: kept?.id }, { token: other.secret });
});

test('a token that is limited to some services sees no invoice', async () => {
  const { who } = await invoiced(1);
  const [kept] = await invoices(who);
  const secret = newTokenSecret();
  const draft = {
    accountId: who.accountId,
    userId: who.userId,
    kind: 'api' as const,
    name: 'limited',
    scopes: ['*'],
    expiresAt: null,
    resourceAllowlist: [who.accountId],
  };
  await issueToken(pool, draft, secret, clock.now());
  await refused('token_restricted', 'account/invoices', {}, { token: secret });
  await refused('token_restricted', 'account/invoice', { uuid: kept?.id }, { token: secret });
});

test('a transaction names the invoice or credit note that tells of it, once there is one', async () => {
  const who = await customer(10_000n);
  const ordered = await order(who);
  await refund(ordered, 1);
  const list = async () =>
    (await data('account/transactions', {}, { token: who.secret })).transactions.map(
      (row: { type: string; invoice_uuid: string | null }) => [row.type, row.invoice_uuid],
    );
  assert.deepEqual(await list(), [
    ['refund', null],
    ['order', null],
    ['adjustment', null],
  ]);
  await issue();
  const [invoice, note] = await invoices(who);
  assert.deepEqual(await list(), [
    ['refund', note?.id],
    ['order', invoice?.id],
    ['adjustment', null],
  ]);
});

test('a month’s statement is its opening balance, what moved by type, its closing balance and its invoices', async () => {
  clock.set(Temporal.Instant.from('2027-02-28T22:59:00Z'));
  const { who } = await invoiced(1);
  clock.set(Temporal.Instant.from('2027-02-28T23:30:00Z')); // March in Frankfurt
  const late = await order(who);
  await issue();
  await refund(late, 1);
  await issue();
  const statement = (month: string) => data('account/statement', { month }, { token: who.secret });
  const february = await statement('2027-02');
  assert.deepEqual(
    [february.opening_balance, february.credit, february.debit, february.closing_balance],
    [0, 1000, 3.99, 996.01],
  );
  assert.deepEqual(february.by_type, [
    { type: 'adjustment', transactions: 1, amount: 1000 },
    { type: 'order', transactions: 1, amount: -3.99 },
  ]);
  assert.equal(february.invoices_total, 1);
  const march = await statement('2027-03');
  assert.deepEqual([march.opening_balance, march.closing_balance], [996.01, 993.02]);
  assert.deepEqual(
    march.invoices.map(({ kind }: Listed) => kind),
    ['invoice', 'credit_note'],
  );
  const none = await statement('2027-04');
  assert.deepEqual([none.opening_balance, none.closing_balance, none.by_type], [993.02, 993.02, []]);
});

test('operators see every invoice, and what a tax return asks of a period', async () => {
  clock.set(Temporal.Instant.from('2028-05-10T12:00:00Z'));
  const { who, orders } = await invoiced(2);
  await refund(orders[0] ?? '', 1.19);
  await issue();
  const token = await staffToken(fixture);
  const found = await data('staff/invoices', { account_uuid: who.accountId }, { token });
  assert.equal(found.pagination.total, 3);
  assert.equal(found.totals, null);
  const [{ number }] = found.invoices;
  const named = await data('staff/invoices', { search: number }, { token });
  assert.deepEqual(
    named.invoices.map((invoice: Listed) => invoice.number),
    [number],
  );
  const { totals } = await data(
    'staff/invoices',
    { from: '2028-05-01', to: '2028-05-31', totals: true },
    { token },
  );
  assert.deepEqual(totals, [
    {
      currency: 'EUR',
      tax_kind: 'standard',
      tax_rate: 19,
      tax_country: 'DE',
      invoices: 2,
      credit_notes: 1,
      net: 5.7,
      tax: 1.09,
      gross: 6.79,
    },
  ]);
  await refused('validation_failed', 'staff/invoices', { totals: true }, { token });
});
