import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { cheapestPackage, licenseOrder, licensePackages, orderedLicense } from '../catalogue.ts';
import { balanceMinor, everyEntry, minor } from '../customer.ts';
import { licenseDetails, licenseOrder as orderShape, quote as quoteShape } from '../documented/interface.ts';
import {
  licenseBindings,
  licenseList,
  licenseRenewal,
  licensePackages as packagesShape,
} from '../documented/payloads.ts';
import { refusal, success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, numberAt, objectAt, stringAt } from '../json.ts';
import { object } from '../shape.ts';
import { later } from '../term.ts';

const dryRun = object({ quote: quoteShape });
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The license group: what is sold, ordering and its guards, renewal, bindings and names. */
export function licenseCases({ api }: Installation): void {
  test('panel/packages is public and shows at least four packages', async () => {
    const data = success(await api.call('GET', 'panel/packages', { token: null }), packagesShape);
    assert.ok(listAt(data, '/packages').length >= 4);
  });

  test('a package has the shape in panel/packages that it has in panel/details', async () => {
    const order = await orderedLicense(api);
    const license = success(await api.get('panel/details', { uuid: order.license_uuid }));
    const pack = (await licensePackages(api)).find((one) => one.uuid === stringAt(order, '/package/uuid'));
    for (const [name, value] of Object.entries(objectAt(license, '/package'))) {
      assert.deepEqual(at(pack ?? {}, `/${name}`), value);
    }
  });

  test('every duration on offer is quoted at the price shown, for calendar months, years or hours', async () => {
    const units = new Set<string>();
    for (const pack of await licensePackages(api)) {
      for (const offer of listAt(pack, '/durations')) {
        const duration = numberAt(offer, '/duration');
        const unit = stringAt(offer, '/duration_unit');
        units.add(unit);
        const body = licenseOrder(pack, { duration, duration_unit: unit, dry_run: true });
        const data = success(await api.post('panel/order', body), dryRun);
        assert.equal(at(data, '/quote/gross'), at(offer, '/gross'), `${pack.name}: ${duration} ${unit}`);
        const from = stringAt(data, '/quote/lines/0/period_from');
        const to = stringAt(data, '/quote/lines/0/period_to');
        assert.equal(to, later(from, { [`${unit}s`]: duration }), `${duration} ${unit} from ${from}`);
      }
    }
    assert.deepEqual([...units].sort(), ['hour', 'month', 'year']);
  });

  test('a license ends its duration after it was made', async () => {
    const order = await orderedLicense(api);
    const license = success(await api.get('panel/details', { uuid: order.license_uuid }));
    assert.equal(order.expire_at, later(stringAt(license, '/created_at'), { months: 1 }));
  });

  test('an order books one debit of its gross price, and says which', async () => {
    const order = await orderedLicense(api);
    const rows = await everyEntry(api, 'account/transactions', 'transactions', {
      resource_uuid: order.license_uuid,
    });
    assert.equal(rows.length, 1);
    const [row] = rows;
    assert.equal(row?.uuid, order.transaction_uuid);
    assert.equal(row?.order_id, order.order_id);
    assert.equal(row?.type, 'order');
    assert.equal(row?.direction, 'debit');
    assert.equal(row?.state, 'booked');
    assert.equal(row?.amount_minor, numberAt(order, '/charged/gross_minor'));
    assert.deepEqual(row?.reference, { type: 'license', uuid: order.license_uuid });
  });

  test('net, discount and tax of a charge add up to its gross', async () => {
    const charged = at(await orderedLicense(api), '/charged');
    const net = minor(at(charged, '/net'));
    const tax = minor(at(charged, '/tax'));
    assert.equal(net + tax, numberAt(charged, '/gross_minor'));
    assert.equal(minor(at(charged, '/gross')), numberAt(charged, '/gross_minor'));
  });

  test('dry_run answers a quote, needs no terms, and changes nothing', async () => {
    const pack = await cheapestPackage(api);
    const before = await balanceMinor(api);
    const total = await licenseTotal();
    const { tos: _tos, cancellation: _cancellation, ...body } = licenseOrder(pack, { dry_run: true });
    const answer = await api.post('panel/order', body);
    const data = success(answer, dryRun);
    assert.doesNotMatch(stringAt(answer.body, '/response'), /created/i, 'no license was created');
    assert.equal(minor(at(data, '/quote/balance_before')), before);
    assert.equal(minor(at(data, '/quote/balance_after')), before - numberAt(data, '/quote/gross_minor'));
    assert.equal(at(data, '/quote/sufficient_funds'), true);
    assert.equal(await balanceMinor(api), before);
    assert.equal(await licenseTotal(), total);
  });

  test('the order of a quote is charged as quoted', async () => {
    const pack = await cheapestPackage(api);
    const quoted = success(await api.post('panel/order', licenseOrder(pack, { dry_run: true })), dryRun);
    const quote_uuid = stringAt(quoted, '/quote/quote_uuid');
    const order = success(await api.post('panel/order', licenseOrder(pack, { quote_uuid })), orderShape);
    assert.equal(at(order, '/charged/gross_minor'), at(quoted, '/quote/gross_minor'));
  });

  test('a quote that never was is refused', async () => {
    const pack = await cheapestPackage(api);
    const answer = await api.post('panel/order', licenseOrder(pack, { quote_uuid: randomUUID() }));
    assert.ok([404, 410, 422].includes(answer.status), answer.text);
    refusal(answer, answer.status, 'not_found', 'quote_expired', 'validation_failed');
  });

  test('a price above max_price is price_changed with a new quote, and nothing is charged', async () => {
    const pack = await cheapestPackage(api);
    const quoted = success(await api.post('panel/order', licenseOrder(pack, { dry_run: true })), dryRun);
    const gross = numberAt(quoted, '/quote/gross_minor');
    const before = await balanceMinor(api);
    const dear = licenseOrder(pack, { max_price: (gross - 1) / 100 });
    const body = refusal(await api.post('panel/order', dear), 409, 'price_changed');
    // It shows the price and holds it for nobody: a refusal writes nothing. `dry_run` makes one to order by.
    const shown = objectAt(body, '/quote');
    assert.equal(shown.quote_uuid, null);
    assert.deepEqual(quoteShape({ ...shown, quote_uuid: randomUUID() }, '/quote'), []);
    assert.equal(at(body, '/quote/gross_minor'), gross);
    assert.equal(await balanceMinor(api), before);
    success(await api.post('panel/order', licenseOrder(pack, { max_price: gross / 100 })), orderShape);
    assert.equal(await balanceMinor(api), before - gross);
  });

  test('an order needs the terms accepted and the cancellation terms acknowledged', async () => {
    const pack = await cheapestPackage(api);
    const noTerms = await api.post('panel/order', licenseOrder(pack, { tos: false }));
    refusal(noTerms, 422, 'terms_not_accepted');
    const noCancellation = await api.post('panel/order', licenseOrder(pack, { cancellation: false }));
    refusal(noCancellation, 422, 'cancellation_not_acknowledged');
  });

  test('a discount code nobody issued is discount_code_invalid; an empty one is none', async () => {
    const pack = await cheapestPackage(api);
    const answer = await api.post('panel/order', licenseOrder(pack, { discount_code: 'NO-SUCH-CODE' }));
    refusal(answer, 422, 'discount_code_invalid');
    const { discount_code: _code, ...without } = licenseOrder(pack, { dry_run: true });
    const data = success(await api.post('panel/order', without), dryRun);
    assert.equal(at(data, '/quote/discount_code'), null);
  });

  test('a package that does not exist is not_found', async () => {
    const order = licenseOrder({ uuid: UNKNOWN });
    refusal(await api.post('panel/order', order), 404, 'not_found');
  });

  test('a term that is not sold is refused', async () => {
    const pack = await cheapestPackage(api);
    for (const duration of [0, -1, 1.5, 1e9, '1', null, [1]]) {
      const answer = await api.post('panel/order', licenseOrder(pack, { duration }));
      refusal(answer, 422, 'validation_failed', 'period_not_allowed');
    }
  });

  test('panel/list shows the license, and finds it by state, package, address and text', async () => {
    const name = `list-${randomUUID()}`;
    const order = await orderedLicense(api, { custom_name: name, ip_address: '198.51.100.77' });
    const filters = [
      { search: name },
      { search: name, state: 'active' },
      { search: name, package_uuid: stringAt(order, '/package/uuid') },
      { search: name, ip_address: '198.51.100.77' },
    ];
    for (const filter of filters) {
      const data = success(await api.get('panel/list', filter), licenseList);
      assert.equal(listAt(data, '/licenses').length, 1, JSON.stringify(filter));
      assert.equal(at(data, '/licenses/0/uuid'), order.license_uuid);
      assert.equal(at(data, '/licenses/0/license_key'), order.license_key);
      assert.equal(at(data, '/pagination/total'), 1);
    }
    const none = success(await api.get('panel/list', { search: name, state: 'expired' }), licenseList);
    assert.deepEqual(listAt(none, '/licenses'), []);
  });

  test('panel/list pages without gap or repeat', async () => {
    for (let made = 0; made < 3; made++) await orderedLicense(api);
    const first = success(await api.get('panel/list', { per_page: 2, page: 1 }), licenseList);
    const second = success(await api.get('panel/list', { per_page: 2, page: 2 }), licenseList);
    const seen = [...listAt(first, '/licenses'), ...listAt(second, '/licenses')];
    assert.equal(listAt(first, '/licenses').length, 2);
    assert.equal(new Set(seen.map((license) => stringAt(license, '/uuid'))).size, seen.length);
    assert.equal(at(first, '/pagination/total'), at(second, '/pagination/total'));
    for (const wrong of [{ page: 0 }, { per_page: 101 }, { per_page: 0 }, { order: 'up' }, { sort: 'no' }]) {
      refusal(await api.get('panel/list', wrong), 422, 'validation_failed');
    }
  });

  test('panel/renew adds calendar months to the expiry, again and again', async () => {
    const order = await orderedLicense(api);
    const uuid = stringAt(order, '/license_uuid');
    const begun = stringAt(success(await api.get('panel/details', { uuid })), '/created_at');
    let expiry = stringAt(order, '/expire_at');
    // The day of the beginning counts, also after a month that has no such day.
    let months = 1;
    for (const [duration, unit] of [
      [1, 'month'],
      [6, 'month'],
      [1, 'year'],
    ] as const) {
      const answer = await api.post('panel/renew', { uuid, duration, duration_unit: unit });
      const renewal = success(answer, licenseRenewal);
      assert.equal(renewal.license_uuid, uuid);
      assert.equal(renewal.license_key, order.license_key);
      assert.equal(renewal.previous_expire_at, expiry);
      months += unit === 'year' ? 12 * duration : duration;
      expiry = later(begun, { months });
      assert.equal(renewal.expire_at, expiry);
      assert.equal(minor(at(renewal, '/balance')), await balanceMinor(api));
    }
    const license = success(await api.get('panel/details', { uuid }), licenseDetails);
    assert.equal(license.expire_at, expiry);
  });

  test('a renewal can be quoted, and is guarded by max_price', async () => {
    const order = await orderedLicense(api);
    const uuid = stringAt(order, '/license_uuid');
    const data = success(await api.post('panel/renew', { uuid, duration: 1, dry_run: true }), dryRun);
    const gross = numberAt(data, '/quote/gross_minor');
    const dear = { uuid, duration: 1, max_price: (gross - 1) / 100 };
    refusal(await api.post('panel/renew', dear), 409, 'price_changed');
    const license = success(await api.get('panel/details', { uuid }), licenseDetails);
    assert.equal(license.expire_at, order.expire_at);
  });

  test('addresses are bound up to ip_limit; one more is ip_limit_reached until one is unbound', async () => {
    const order = await orderedLicense(api, {}, 2);
    const uuid = stringAt(order, '/license_uuid');
    const limit = numberAt(success(await api.get('panel/details', { uuid })), '/package/ip_limit');
    for (let bound = 1; bound <= limit; bound++) {
      const binding = { uuid, ip_address: `203.0.113.${bound}`, description: `host ${bound}` };
      const data = success(await api.post('panel/bind-ip', binding), licenseBindings);
      assert.equal(data.ip_bindings_count, bound);
      assert.equal(listAt(data, '/ip_bindings').length, bound);
    }
    const more = { uuid, ip_address: '203.0.113.200' };
    refusal(await api.post('panel/bind-ip', more), 409, 'ip_limit_reached');
    const freed = await api.post('panel/unbind-ip', { uuid, ip_address: '203.0.113.1' });
    assert.equal(success(freed, licenseBindings).ip_bindings_count, limit - 1);
    success(await api.post('panel/bind-ip', more), licenseBindings);
    const license = success(await api.get('panel/details', { uuid }), licenseDetails);
    const addresses = listAt(license, '/ip_bindings').map((one) => stringAt(one, '/ip_address'));
    assert.ok(addresses.includes('203.0.113.200') && !addresses.includes('203.0.113.1'));
    assert.equal(license.ip_bindings_count, limit);
  });

  test('ip_limit holds when more addresses are bound at once than it allows', async () => {
    const order = await orderedLicense(api, {}, 2);
    const uuid = stringAt(order, '/license_uuid');
    const limit = numberAt(success(await api.get('panel/details', { uuid })), '/package/ip_limit');
    const answers = await Promise.all(
      Array.from({ length: limit + 5 }, (_, index) =>
        api.post('panel/bind-ip', { uuid, ip_address: `203.0.113.${index + 1}` }),
      ),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, limit);
    for (const answer of answers.filter((one) => one.status !== 200)) {
      refusal(answer, 409, 'ip_limit_reached');
    }
  });

  test('an IPv6 address is bound in its canonical spelling; what is no address is refused', async () => {
    const order = await orderedLicense(api, { ip_address: '2001:DB8:0:0:0:0:0:1' });
    const uuid = stringAt(order, '/license_uuid');
    const license = success(await api.get('panel/details', { uuid }), licenseDetails);
    assert.equal(at(license, '/ip_bindings/0/ip_address'), '2001:db8::1');
    for (const ip_address of [
      '',
      'example.com',
      '1.2.3',
      '1.2.3.256',
      '01.2.3.4',
      '10.0.0.0/8',
      'fe80::1%1',
    ]) {
      const body = refusal(await api.post('panel/bind-ip', { uuid, ip_address }), 422, 'validation_failed');
      assert.equal(at(body, '/errors/0/pointer'), '/ip_address');
    }
  });

  test('an address that is not bound cannot be unbound', async () => {
    const uuid = stringAt(await orderedLicense(api), '/license_uuid');
    const answer = await api.post('panel/unbind-ip', { uuid, ip_address: '203.0.113.9' });
    refusal(answer, 404, 'ip_not_assigned', 'not_found');
  });

  test('panel/rename sets the custom name, and null takes it away', async () => {
    const uuid = stringAt(await orderedLicense(api), '/license_uuid');
    for (const custom_name of ['Büro — 東京', null]) {
      success(await api.post('panel/rename', { uuid, custom_name }));
      const license = success(await api.get('panel/details', { uuid }), licenseDetails);
      assert.equal(license.custom_name, custom_name);
    }
  });

  test('a write that expects another version is version_mismatch', async () => {
    const uuid = stringAt(await orderedLicense(api), '/license_uuid');
    const version = numberAt(success(await api.get('panel/details', { uuid })), '/version');
    const stale = { uuid, custom_name: 'late', expected_version: version + 1 };
    refusal(await api.post('panel/rename', stale), 409, 'version_mismatch');
    success(await api.post('panel/rename', { uuid, custom_name: 'in time', expected_version: version }));
  });

  async function licenseTotal(): Promise<number> {
    return numberAt(success(await api.get('panel/list', { per_page: 1 })), '/pagination/total');
  }
}
