import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { hostname, licenseOrder, licensePackages, orderedLicense } from '../catalogue.ts';
import {
  balanceMinor,
  everyEntry,
  everyScope,
  freshCredentials,
  minor,
  newCustomer,
  register,
} from '../customer.ts';
import {
  affiliateStats,
  cancelled,
  cancelPreview,
  createdWebhook,
  dashboard,
  events,
  exports,
  invoice,
  invoices,
  ledger,
  ledgerFile,
  ledgerProof,
  oneTask,
  payment as paymentShape,
  readAddress,
  redemption,
  savedAddress,
  topup as topupShape,
  webhooks,
} from '../documented/account.ts';
import {
  balance as balanceShape,
  session as sessionShape,
  transactions as transactionsShape,
} from '../documented/payloads.ts';
import { refusal, success } from '../envelope.ts';
import { eventually } from '../eventually.ts';
import type { Answer } from '../exchange.ts';
import { assertForeign } from '../foreign.ts';
import { ledgerVerifier } from '../guide.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';
import { finishedTask, provisionedServer } from '../server.ts';
import { type Session, staff } from '../session.ts';
import { object } from '../shape.ts';

const BERLIN = {
  salutation: 'ms',
  first_name: 'Ada',
  last_name: 'Lovelace',
  street: 'Lange Straße',
  house_number: '12a',
  zip: '10115',
  city: 'Berlin',
  country: 'DE',
  phone: '+49301234567',
};
const PARIS = { ...BERLIN, street: 'Rue de Rivoli', zip: '75001', city: 'Paris', country: 'FR' };
const PARIS_BUSINESS = { ...PARIS, company: 'Ada SARL', vat_id: 'FR83404833048' };
const ZURICH = { ...BERLIN, street: 'Bahnhofstrasse', zip: '8001', city: 'Zürich', country: 'CH' };

/** An order and who made it, from when its case has run. */
export interface Invoiced {
  made: { readonly api: Api; readonly order: JsonObject } | undefined;
}

/** The order that `invoiceCases` wait for: invoices are issued once a minute, and other cases run meanwhile. */
export function invoicedOrderCases({ api }: Installation): Invoiced {
  const invoiced: Invoiced = { made: undefined };
  test('an order is charged at once, and its price explained', async () => {
    const customer = await funded(api, await staff(api), 50_00);
    // What an address was before is nobody's on an invoice.
    success(await customer.post('account/save-address', PARIS_BUSINESS), savedAddress);
    success(await customer.post('account/save-address', BERLIN), savedAddress);
    const order = await orderedLicense(customer);
    success(await customer.post('account/save-address', ZURICH), savedAddress);
    const { order: found } = success(await customer.get('account/order', { uuid: order.order_id }));
    assert.equal(at(found ?? null, '/gross_minor'), at(order, '/charged/gross_minor'));
    assert.equal(at(found ?? null, '/state'), 'completed');
    const net = listAt(found ?? null, '/lines').reduce<number>(
      (sum, line) => sum + minor(at(line, '/net')),
      0,
    );
    assert.equal(net - minor(at(found ?? null, '/discount')), minor(at(found ?? null, '/net')));
    assert.match(stringAt(found ?? null, '/consent/consent_hash'), /^[0-9a-f]{64}$/);
    invoiced.made = { api: customer, order };
  });
  return invoiced;
}

/** What the order became that `invoicedOrderCases` made. */
export function invoiceCases({ api }: Installation, invoiced: Invoiced): void {
  test('the order has one invoice: a PDF, and an XML of its number and sum, for its customer alone', async () => {
    if (!invoiced.made) assert.fail('no order was made');
    const { api: customer, order } = invoiced.made;
    // Once a minute, and the machine may be busy.
    const uuid = await eventually('the invoice', async () => {
      const { order: found } = success(await customer.get('account/order', { uuid: order.order_id }));
      return at(found ?? null, '/invoice_uuid') ?? undefined;
    });
    const listed = success(await customer.get('account/invoices'), invoices);
    assert.equal(listAt(listed, '/invoices').length, 1);
    const found = success(await customer.get('account/invoice', { uuid }), invoice);
    assert.match(stringAt(found, '/number'), /^[A-Z]+-\d{4}-\d{6}$/);
    assert.equal(found.gross_minor, at(order, '/charged/gross_minor'));
    assert.equal(at(found, '/lines/0/order_id'), order.order_id);
    assert.equal(at(found, '/buyer/city'), 'Berlin');
    assert.equal(at(found, '/buyer/vat_id'), '');
    assert.equal(found.tax_kind, 'standard');
    const [row] = await everyEntry(customer, 'account/transactions', 'transactions', { type: 'order' });
    assert.equal(row?.invoice_uuid, uuid);

    const pdf = await downloaded(customer, stringAt(found, '/pdf_url'));
    assert.equal(pdf.status, 200);
    assert.equal(pdf.headers['content-type'], 'application/pdf');
    assert.ok(pdf.text.startsWith('%PDF'));
    const xml = await downloaded(customer, stringAt(found, '/xml_url'));
    assert.match(xml.headers['content-type'] ?? '', /^application\/xml\b/);
    assert.ok(xml.text.includes(`<ram:ID>${stringAt(found, '/number')}</ram:ID>`));
    const total = (numberAt(found, '/gross_minor') / 100).toFixed(2);
    assert.ok(xml.text.includes(`<ram:GrandTotalAmount>${total}</ram:GrandTotalAmount>`));
    await assertForeign(api, [['GET', 'account/invoice', String(uuid), {}]]);
  });
}

/** Money in and out, and the books. Needs the demo's operator, who logs in, and the commands. */
export function billingCases({ api }: Installation, operator: Operator): void {
  let operators: Promise<Session> | undefined;
  const atDesk = () => {
    operators ??= staff(api);
    return operators;
  };

  test('the account operations answer every documented field, and no other', async () => {
    const customer = await funded(api, await atDesk(), 20_00);
    const nowhere = success(await customer.get('account/get-address'), readAddress);
    assert.equal(nowhere.address, null);
    assert.equal(nowhere.complete, false);
    success(await customer.post('account/save-address', BERLIN), savedAddress);
    assert.equal(success(await customer.get('account/get-address'), readAddress).complete, true);
    await orderedForAnHour(customer);
    success(await customer.get('account/balance'), balanceShape);
    success(await customer.get('account/session'), sessionShape);
    success(await customer.get('account/transactions'), transactionsShape);
    success(await customer.get('account/affiliate-stats'), affiliateStats);
    const first = success(await customer.get('account/dashboard'), dashboard);
    assert.equal(at(first, '/counts/licenses'), 1);
    assert.equal(listAt(first, '/expiring').length, 1, 'it ends within the hour');
    const log = success(await customer.get('account/events', { per_page: 500 }), events);
    const sequences = listAt(log, '/events').map((event) => numberAt(event, '/sequence'));
    assert.deepEqual(
      sequences,
      [...sequences.keys()].map((index) => index + 1),
    );
    const after = success(await customer.get('account/events', { after: log.next_cursor }), events);
    assert.deepEqual(after.events, []);
  });

  test('the address decides of the tax: at home, a business and a consumer in the EU, abroad', async () => {
    const customer = (await newCustomer(api, operator)).api;
    const taxOf = async (address: object) =>
      success(await customer.post('account/save-address', address), savedAddress).tax;
    assert.deepEqual(await taxOf(BERLIN), { rate: 19, reverse_charge: false });
    assert.deepEqual(await taxOf(PARIS_BUSINESS), {
      rate: 0,
      reverse_charge: true,
    });
    assert.deepEqual(await taxOf(PARIS), { rate: 20, reverse_charge: false });
    assert.deepEqual(await taxOf(ZURICH), { rate: 0, reverse_charge: false });
    const stale = await customer.post('account/save-address', { ...BERLIN, expected_version: 1 });
    refusal(stale, 409, 'version_mismatch');
    const wrong = await customer.post('account/save-address', { ...BERLIN, zip: '123', phone: '030' });
    refusal(wrong, 422, 'validation_failed');
    assert.equal(at(success(await customer.get('account/get-address')), '/address/city'), 'Zürich');
  });

  test('a top-up begun 5 times under one key and paid 5 times at once arrives once', async () => {
    const customer = (await newCustomer(api, operator)).api;
    const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'wait=10' };
    const begun = await Promise.all(
      Array.from({ length: 5 }, () =>
        customer.post('account/topup', { amount: 25.5, method: 'sandbox' }, headers),
      ),
    );
    const uuids = new Set(begun.map((answer) => stringAt(answer.body, '/data/payment/uuid')));
    assert.equal(uuids.size, 1);
    const [uuid = ''] = uuids;
    if (begun[0]) success(begun[0], topupShape, begun[0].status);
    const page = await eventually('the page to pay on', async () => {
      const found = success(
        await customer.get('account/payment', { uuid }),
        object({ payment: paymentShape }),
      );
      return at(found, '/payment/redirect_url') ?? undefined;
    });
    await Promise.all(Array.from({ length: 5 }, () => pay(customer, String(page))));
    await eventually('the money', async () => {
      const { payment } = success(await customer.get('account/payment', { uuid }));
      return at(payment ?? null, '/state') === 'succeeded' ? true : undefined;
    });
    const rows = await everyEntry(customer, 'account/transactions', 'transactions');
    assert.deepEqual(
      rows.map(({ type, direction, amount, payment_method }) => [type, direction, amount, payment_method]),
      [['topup', 'credit', 25.5, 'sandbox']],
    );
    assert.equal(await balanceMinor(customer), 25_50);
  });

  test('a bank transfer arrives once, however often its statement is imported', async () => {
    const customer = (await newCustomer(api, operator)).api;
    const begun = await customer.post('account/topup', { amount: 33.33, method: 'bank' });
    const { payment } = success(begun, topupShape);
    const [iban, reference] = ['iban', 'reference'].map((name) =>
      stringAt(payment ?? null, `/instructions/${name}`),
    );
    const lines = stringAt(payment ?? null, '/instructions/epc_qr/text').split('\n');
    assert.deepEqual(lines.slice(0, 4), ['BCD', '002', '1', 'SCT']);
    assert.deepEqual([lines[6], lines[7], lines[10]], [iban, 'EUR33.33', reference]);
    const directory = await mkdtemp(join(tmpdir(), 'hostkeep-statement-'));
    try {
      const file = join(directory, 'statement.xml');
      await writeFile(file, statement(iban ?? '', `RF ${reference?.toLowerCase().replaceAll('-', ' ')}`));
      assert.match(await operator.importStatement(file), /imported 1, matched 1/);
      assert.match(await operator.importStatement(file), /imported 0, matched 0.* duplicates 1/);
    } finally {
      await rm(directory, { recursive: true });
    }
    assert.equal(await balanceMinor(customer), 33_33);
  });

  test('a voucher redeemed by 10 at once is worth its money once', async () => {
    const made = success(
      await (await atDesk()).post('staff/voucher-create', {
        kind: 'credit',
        value: 10,
        description: 'for one',
      }),
    );
    const code = stringAt(made, '/vouchers/0/code').toLowerCase().replaceAll('-', ' ');
    const rivals = await Promise.all(Array.from({ length: 5 }, () => newCustomer(api, operator)));
    const answers = await Promise.all(
      [...rivals, ...rivals].map((rival) => rival.api.post('account/redeem-voucher', { code })),
    );
    const good = answers.filter((answer) => answer.status === 200);
    assert.equal(good.length, 1, answers.map((answer) => answer.status).join());
    for (const answer of answers) {
      if (answer === good[0]) success(answer, redemption);
      else refusal(answer, 409, 'voucher_already_redeemed');
    }
    const balances = await Promise.all(rivals.map((rival) => balanceMinor(rival.api)));
    assert.deepEqual(
      balances.toSorted((a, b) => b - a),
      [10_00, 0, 0, 0, 0],
    );
    const unknown = await rivals[0]?.api.post('account/redeem-voucher', { code: 'NOSUCHVOUCHER' });
    if (unknown) refusal(unknown, 404, 'voucher_not_found');
  });

  test('who withdraws from a server gets back what was previewed, once', async () => {
    const customer = await funded(api, await atDesk(), 100_00);
    const name = hostname();
    const order = await provisionedServer(customer, { hostname: name });
    const uuid = stringAt(order, '/server_uuid');
    const left = await balanceMinor(customer);
    assert.equal(left, 100_00 - numberAt(order, '/charged/gross_minor'));
    const request = { uuid, mode: 'withdraw' };
    const previewed = await customer.post('server/cancel', { ...request, dry_run: true });
    const { preview } = success(previewed, cancelPreview);
    assert.equal(minor(at(preview ?? null, '/refund/amount')), 100_00 - left, 'nothing of it was used');
    assert.equal(await balanceMinor(customer), left);
    refusal(await customer.post('server/cancel', request), 422, 'confirmation_mismatch');

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => customer.post('server/cancel', { ...request, confirm: name })),
    );
    const [done, ...others] = answers.toSorted((a, b) => a.status - b.status);
    if (!done) assert.fail('no answer');
    const data = success(done, cancelled);
    for (const answer of others) refusal(answer, 409, 'state_conflict', 'withdrawal_not_available');
    assert.equal(at(data, '/refund/basis'), 'statutory_withdrawal');
    assert.equal(at(data, '/refund/amount'), at(preview ?? null, '/refund/amount'));
    assert.equal(await balanceMinor(customer), 100_00);
    const refunds = await everyEntry(customer, 'account/transactions', 'transactions', { type: 'refund' });
    assert.deepEqual(
      refunds.map((row) => [row.uuid, row.order_id]),
      [[at(data, '/refund/transaction_uuid'), order.order_id]],
    );
    const log = await customer.get('account/events', { types: ['server.cancelled', 'order.refunded'] });
    assert.equal(listAt(success(log, events), '/events').length, 2);
  });

  test('operators refund an order in parts, and never more than was paid', async () => {
    const customer = await funded(api, await atDesk(), 50_00);
    const order = await orderedLicense(customer);
    const gross = numberAt(order, '/charged/gross_minor');
    const refund = async (amount: number | undefined) =>
      (await atDesk()).post('staff/refund', {
        order_id: order.order_id,
        ...(amount === undefined ? {} : { amount: amount / 100 }),
        reason: 'an outage',
        basis: 'goodwill',
      });
    const first = success(await refund(100));
    assert.equal(minor(at(first, '/left')), gross - 100);
    refusal(await refund(gross - 99), 409, 'refund_exceeds_order');
    success(await refund(undefined));
    assert.equal(await balanceMinor(customer), 50_00);
    const customers = await customer.post('staff/refund', { order_id: order.order_id });
    assert.ok([403, 404].includes(customers.status), customers.text);
  });

  test('the ledger as a file, and each entry alone, pass the verifier of the guide; changed ones do not', async () => {
    const { verifiedLedger, verifiedEntry } = await ledgerVerifier();
    const customer = await funded(api, await atDesk(), 50_00);
    await orderedLicense(customer);
    await orderedLicense(customer);
    const keys = at(success(await api.call('GET', 'panel/public-key', { token: null })), '/keys');
    let file = '';
    for (let from: number | null = 1; from !== null; ) {
      const page = success(
        await customer.get('account/ledger', { format: 'file', from_seq: from, per_page: 2 }),
        ledgerFile,
      );
      file += stringAt(page, '/file');
      from = page.next_seq === null ? null : numberAt(page, '/next_seq');
    }
    const { account } = verifiedLedger(file, keys);
    assert.equal(account, at(success(await customer.get('account/session')), '/account/uuid'));
    assert.throws(() => verifiedLedger(file.replace('5000', '9000'), keys));
    const read = success(await customer.get('account/ledger'), ledger);
    const entries = listAt(read, '/entries');
    assert.equal(entries.length, 3);
    for (const entry of entries) {
      const uuid = stringAt(entry, '/uuid');
      const proof = success(await customer.get('account/ledger-proof', { uuid }), ledgerProof);
      assert.equal(verifiedEntry(proof, keys)[4], uuid);
    }
  });

  test('an archive of the account is made once at a time, and its link is all that it takes to get it', async () => {
    const customer = (await newCustomer(api, operator)).api;
    const answers = await Promise.all(Array.from({ length: 3 }, () => customer.post('account/export', {})));
    const begun = answers.filter((answer) => answer.status === 202);
    for (const answer of answers) if (!begun.includes(answer)) refusal(answer, 409, 'state_conflict');
    const [one] = begun;
    if (!one) assert.fail('none was begun');
    assert.equal(begun.length, 1);
    const uuid = stringAt(success(one, oneTask, 202), '/task/uuid');
    assert.equal((await finishedTask(customer, uuid)).state, 'succeeded');
    const listed = success(await customer.get('account/exports'), exports);
    const archive = await downloaded(customer, stringAt(listed, '/exports/0/download_url'));
    assert.equal(archive.status, 200);
    assert.equal(archive.headers['content-type'], 'application/gzip');
    assert.match(archive.headers['content-disposition'] ?? '', /hostkeep-export-\d{4}-\d\d-\d\d\.tar\.gz/);
    const changed = `${stringAt(listed, '/exports/0/download_url').slice(0, -3)}AAA`;
    refusal(await downloaded(customer, changed), 404, 'not_found');
  });

  test('what an account has of papers, payments and webhooks is to others as if it never was', async () => {
    const stranger = (await newCustomer(api, operator)).api;
    const customer = await funded(api, await atDesk(), 20_00);
    const order = await orderedLicense(customer);
    const paid = success(await customer.post('account/topup', { amount: 10, method: 'bank' }));
    const hook = { url: 'https://hooks.example.com/', events: ['*'] };
    const made = success(await customer.post('account/webhook-create', hook), createdWebhook);
    const exported = success(await customer.post('account/export', {}), oneTask, 202);
    const webhook = stringAt(made, '/uuid');
    await assertForeign(stranger, [
      ['GET', 'account/order', stringAt(order, '/order_id'), {}],
      ['GET', 'account/ledger-proof', stringAt(order, '/transaction_uuid'), {}],
      ['GET', 'account/payment', stringAt(paid, '/payment/uuid'), {}],
      ['GET', 'task/details', stringAt(exported, '/task/uuid'), {}],
      ['GET', 'account/webhook-deliveries', webhook, {}],
      ['POST', 'account/webhook-update', webhook, { active: false }],
      ['POST', 'account/webhook-test', webhook, {}],
      ['POST', 'account/webhook-replay', webhook, { from_sequence: 1, to_sequence: 2 }],
      ['POST', 'account/webhook-delete', webhook, {}],
      ['POST', 'panel/cancel', stringAt(order, '/license_uuid'), {}],
      ['POST', 'panel/settings', stringAt(order, '/license_uuid'), { auto_renew: true }],
    ]);
    for (const [path, member] of [
      ['account/orders', 'orders'],
      ['account/payments', 'payments'],
      ['account/exports', 'exports'],
      ['account/webhooks', 'webhooks'],
      ['account/invoices', 'invoices'],
      ['account/services', 'services'],
    ] as const) {
      assert.deepEqual(listAt(success(await stranger.get(path)), `/${member}`), [], path);
    }
    const kept = success(await customer.get('account/webhooks'), webhooks);
    assert.equal(at(kept, '/webhooks/0/active'), true);
    success(await customer.post('account/webhook-delete', { uuid: webhook }));
  });
}

/** A new customer with a balance in minor units, which an operator gave. */
async function funded(api: Api, operator: Session, balance: number): Promise<Api> {
  const credentials = freshCredentials();
  success(await register(api.as(null), credentials));
  const customer = await everyScope(api, credentials);
  const dashboard = success(await customer.get('account/dashboard'));
  success(
    await operator.post('staff/adjust-balance', {
      uuid: stringAt(dashboard, '/customer/uuid'),
      amount: balance / 100,
      reason: 'for a test',
    }),
  );
  return customer;
}

/** A license whose end is near from the beginning. */
async function orderedForAnHour(customer: Api): Promise<void> {
  const hourly = (pack: JsonObject) =>
    listAt(pack, '/durations').find((offer) => at(offer, '/duration_unit') === 'hour');
  const pack = (await licensePackages(customer)).find((one) => hourly(one) !== undefined);
  if (!pack) assert.fail('panel/packages offers nothing by the hour');
  const { duration, duration_unit } = objectAt(hourly(pack) ?? null, '');
  success(await customer.post('panel/order', licenseOrder(pack, { duration, duration_unit })));
}

/** Presses the button of a sandbox payment's page, whatever host the page's address names. */
async function pay(customer: Api, page: string): Promise<void> {
  const answer = await customer.call('POST', new URL(page).pathname, {
    token: null,
    rawBody: 'answer=pay',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(answer.status, 303, answer.text);
}

/** Fetched as a browser does that follows a link: without a token. */
function downloaded(customer: Api, url: string): Promise<Answer> {
  return customer.call('GET', new URL(url).pathname, { token: null });
}

/** A bank's statement with one transfer. */
function statement(iban: string, remittance: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>
  <GrpHdr><MsgId>1</MsgId><CreDtTm>2027-01-15T08:00:00Z</CreDtTm></GrpHdr>
  <Stmt><Id>1</Id><CreDtTm>2027-01-15T08:00:00Z</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id></Acct>
    <Ntry><Amt Ccy="EUR">33.33</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><Dt>2027-01-15</Dt></BookgDt><AcctSvcrRef>${randomUUID()}</AcctSvcrRef>
      <NtryDtls><TxDtls><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
  </Stmt></BkToCstmrStmt></Document>`;
}
