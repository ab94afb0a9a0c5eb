import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { balanceMinor, minor, newCustomer } from '../customer.ts';
import * as documented from '../documented/domain.ts';
import { quote } from '../documented/interface.ts';
import { refusal, success } from '../envelope.ts';
import { eventually } from '../eventually.ts';
import { assertForeign } from '../foreign.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, stringAt } from '../json.ts';
import type { Operator } from '../operator.ts';
import { finishedTask } from '../server.ts';
import { object } from '../shape.ts';

const OWNER = {
  type: 'person',
  salutation: 'none',
  first_name: 'Ada',
  last_name: 'Lovelace',
  street: 'Beispielweg',
  house_number: '1',
  zip: '60311',
  city: 'Frankfurt am Main',
  country: 'DE',
  phone: '+496912345678',
  email: 'ada@example.com',
};
const ORDER = { contacts: { owner: OWNER }, tos: true, cancellation: true };
const freshName = (tld = 'com') => `acceptance-${randomUUID().slice(0, 13)}.${tld}`;

/** Domains at the sandbox's registry. */
export function domainCases({ api }: Installation, operator: Operator): void {
  const funded = async () => (await newCustomer(api, operator, 100_00)).api;

  test('each operation on domains has its one method', async () => {
    for (const [wrong, path] of [
      ['GET', 'domain/order'],
      ['POST', 'domain/list'],
      ['POST', 'domain/details'],
      ['POST', 'domain/pricelist'],
      ['POST', 'domain/contact-get'],
      ['GET', 'domain/contact-update'],
      ['GET', 'domain/nameservers'],
      ['POST', 'domain/whois-privacy-get'],
      ['GET', 'domain/whois-privacy-update'],
      ['GET', 'domain/authcode'],
      ['POST', 'domain/dns-records'],
      ['GET', 'domain/dns-update'],
    ] as const)
      refusal(await api.call(wrong, path), 405, 'method_not_allowed');
  });

  test('the pricelist is public and has every documented field', async () => {
    const data = success(
      await api.as(null).get('domain/pricelist', { tlds: ['com', 'de'] }),
      documented.pricelist,
    );
    assert.deepEqual(
      listAt(data, '/prices')
        .map((price) => at(price, '/tld'))
        .sort(),
      ['com', 'de'],
    );
  });

  test('a domain is ordered, registered, paid once, shown, listed, and taken for everybody else', async () => {
    const customer = await funded();
    const domain = freshName();
    const dry = success(
      await customer.post('domain/order', { ...ORDER, domain, dry_run: true }),
      object({ quote }),
    );
    assert.equal(await balanceMinor(customer), 100_00);
    const order = await ordered(customer, { ...ORDER, domain });
    assert.deepEqual(at(order, '/charged/gross'), at(dry, '/quote/gross'));
    assert.equal(await balanceMinor(customer), 100_00 - minor(at(order, '/charged/gross')));
    const shown = success(await customer.get('domain/details', { domain }), documented.details);
    assert.deepEqual([shown.uuid, shown.state, shown.dns_hosted], [order.domain_uuid, 'active', true]);
    const listed = success(await customer.get('domain/list'), documented.list);
    assert.deepEqual(
      listAt(listed, '/domains').map((one) => at(one, '/domain')),
      [domain],
    );
    // What was asked a moment before may be remembered for some seconds.
    await eventually(`${domain} is taken`, async () => {
      const checked = success(await api.post('domain/check', { domain }));
      return at(checked, '/results/0/reason') === 'taken' || undefined;
    });
    const other = await funded();
    refusal(await other.post('domain/order', { ...ORDER, domain }), 409, 'domain_not_available');
    assert.equal(await balanceMinor(other), 100_00);
  });

  test('it is renewed for a further year by its name, whatever its spelling', async () => {
    const customer = await funded();
    const domain = `bücher-${randomUUID().slice(0, 8)}.com`;
    await ordered(customer, { ...ORDER, domain });
    const registered = success(await customer.get('domain/details', { domain }), documented.details);
    const before = stringAt(registered, '/expire_at');
    const renew = { action: 'renew', domain: domain.toUpperCase(), tos: true, cancellation: true };
    const renewed = await ordered(customer, renew);
    assert.equal(Number(stringAt(renewed, '/expire_at').slice(0, 4)), Number(before.slice(0, 4)) + 1);
    const shown = success(await customer.get('domain/details', { domain }), documented.details);
    assert.deepEqual([shown.domain_unicode, shown.expire_at], [domain, renewed.expire_at]);
  });

  test('many names are one quote and one sum, and each has its own result', async () => {
    const customer = await funded();
    const names = [{ domain: freshName() }, { domain: freshName('de') }];
    const answer = await customer.post('domain/order-many', { ...ORDER, names });
    const order = success(answer, documented.basket, answer.status === 200 ? 200 : 202);
    const task = await finishedTask(customer, stringAt(order, '/task/uuid'));
    assert.equal(task.state, 'succeeded', JSON.stringify(task));
    assert.equal(await balanceMinor(customer), 100_00 - minor(at(order, '/charged/gross')));
    const listed = success(await customer.get('domain/list', { state: 'active' }), documented.list);
    assert.equal(listAt(listed, '/domains').length, 2);
    const taken = { ...ORDER, names: [names[0], { domain: freshName() }] };
    const refused = refusal(await customer.post('domain/order-many', taken), 409, 'order_items_refused');
    assert.equal(stringAt(refused, '/errors/0/pointer'), '/names/0/domain');
  });

  test('contacts, privacy, name servers and records are shown and changed in their documented shapes', async () => {
    const customer = await funded();
    const domain = freshName();
    await ordered(customer, { ...ORDER, domain });
    const held = success(await customer.get('domain/contact-get', { domain }), documented.contacts);
    assert.equal(at(held, '/contacts/owner/email'), OWNER.email);
    const moved = { contacts: { admin: { ...OWNER, city: 'Kassel' } }, domain };
    await done(customer, 'domain/contact-update', moved, documented.contactUpdate);
    success(await customer.get('domain/whois-privacy-get', { domain }), documented.whoisPrivacy);
    const open = { domain, enabled: false };
    await done(customer, 'domain/whois-privacy-update', open, documented.whoisPrivacyUpdate);
    const changes = [{ action: 'create', type: 'A', name: 'www', content: '192.0.2.7' }];
    const updated = await done(customer, 'domain/dns-update', { domain, changes }, documented.dnsUpdate);
    assert.equal(at(updated, '/applied'), true);
    const records = success(
      await customer.get('domain/dns-records', { domain, type: 'A' }),
      documented.dnsRecords,
    );
    assert.deepEqual(
      listAt(records, '/records').map((one) => [at(one, '/name'), at(one, '/content')]),
      [['www', '192.0.2.7']],
    );
    const ours = { domain, mode: 'default' };
    await done(customer, 'domain/nameservers', ours, documented.nameservers);
  });

  test('a domain goes from one customer to another with the code of the first, who says yes', async () => {
    const [from, to] = [await funded(), await funded()];
    const domain = freshName('de');
    await ordered(from, { ...ORDER, domain, transfer_lock: false });
    const given = await done(from, 'domain/authcode', { domain, unlock: true }, documented.authcode);
    const transfer = { action: 'transfer', domain, tos: true, cancellation: true };
    refusal(await to.post('domain/order', { ...transfer, authcode: 'wrong' }), 422, 'authcode_invalid');
    const authcode = stringAt(given, '/authcode');
    const order = success(await to.post('domain/order', { ...transfer, authcode }), documented.order, 202);
    assert.equal(order.transaction_uuid === null, false);
    success(await from.post('domain/transfer-answer', { domain, answer: 'approve' }));
    const task = await finishedTask(to, stringAt(order, '/task/uuid'));
    assert.equal(task.state, 'succeeded', JSON.stringify(task));
    assert.equal(success(await to.get('domain/details', { domain }), documented.details).state, 'active');
    assert.equal(await balanceMinor(to), 100_00);
    const gone = success(await from.get('domain/details', { domain }), documented.details);
    assert.equal(gone.state, 'transferred_out');
  });

  test('what cannot be ordered costs nothing, and is refused for what is wrong with it', async () => {
    const customer = await funded();
    const order = { ...ORDER, domain: freshName() };
    for (const [wrong, status, code] of [
      [{ tos: false }, 422, 'terms_not_accepted'],
      [{ cancellation: false }, 422, 'cancellation_not_acknowledged'],
      [{ period: 11 }, 422, 'validation_failed'],
      [{ domain: 'no dots or tld' }, 422, 'validation_failed'],
      [{ domain: `xn--${'a'.repeat(60)}.com` }, 422, 'validation_failed'],
      [{ domain: 'example.hostkeep-sells-no-such-tld' }, 422, 'unsupported_tld'],
      [{ contacts: undefined }, 422, 'contact_incomplete'],
      [{ contacts: { owner: { ...OWNER, country: 'XX' } } }, 422, 'validation_failed'],
      [{ nameservers: [{ hostname: 'ns1.example.net' }] }, 422, 'validation_failed'],
      [{ max_price: 0.01 }, 409, 'price_changed'],
      [{ action: 'renew', contacts: undefined }, 404, 'not_found'],
    ] as const)
      refusal(await customer.post('domain/order', { ...order, ...wrong }), status, code);
    assert.equal(await balanceMinor(customer), 100_00);
    const poor = (await newCustomer(api, operator)).api;
    refusal(await poor.post('domain/order', order), 402, 'insufficient_funds');
  });

  test('a domain is to other customers as if it never was', async () => {
    const customer = await funded();
    const stranger = (await newCustomer(api, operator)).api;
    const uuid = stringAt(await ordered(customer, { ...ORDER, domain: freshName() }), '/domain_uuid');
    await assertForeign(stranger, [
      ['GET', 'domain/details', uuid, {}],
      ['GET', 'domain/contact-get', uuid, {}],
      ['GET', 'domain/whois-privacy-get', uuid, {}],
      ['GET', 'domain/dns-records', uuid, {}],
      ['POST', 'domain/authcode', uuid, {}],
      ['POST', 'domain/settings', uuid, { auto_renew: false }],
      ['POST', 'domain/cancel', uuid, { confirm: 'example.com' }],
    ]);
    assert.deepEqual(listAt(success(await stranger.get('domain/list'), documented.list), '/domains'), []);
  });
}

/** Orders, and waits until the registry has done it; gives the order's payload. */
async function ordered(customer: Api, wanted: object): Promise<JsonObject> {
  return await done(customer, 'domain/order', wanted, documented.order);
}

/** Calls, and waits for the task that comes of it, if there is one. */
async function done(
  customer: Api,
  path: string,
  input: object,
  shape: typeof documented.order,
): Promise<JsonObject> {
  const answer = await customer.post(path, input);
  const data = success(answer, shape, answer.status === 200 ? 200 : 202);
  if (data.task === null || data.task === undefined) return data;
  const task = await finishedTask(customer, stringAt(data, '/task/uuid'));
  assert.equal(task.state, 'succeeded', `${path}: ${JSON.stringify(task)}`);
  return data;
}
