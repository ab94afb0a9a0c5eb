import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAIN_ORDER, openDomains } from '../../test/domains.ts';
import { LICENSE } from '../../test/fixture.ts';
import { staffToken } from '../../test/requests.ts';
import { SERVER_PACKAGE } from '../../test/servers.ts';
import { WEBSPACE_PACKAGE } from '../../test/webspaces.ts';

const site = await openDomains((document) => {
  for (const pack of [...document.server_packages, ...document.webspace_packages])
    Object.assign(pack, { setup: 9.9 });
});
const { pool, work } = site;
const { call, data } = site.requests;
const staff = { token: await staffToken(site) };
for (const [code, cycles] of Object.entries({ ONCE: 1, TWICE: 2, EVER: 0 }))
  await data('staff/discount-create', { code, percent: 50, cycles }, staff);

const term = { duration: 1, tos: true, cancellation: true };
const host = { host: 'fra-epyc', os: 'debian-13', hostname: 'web.example.com' };
const renewing = (uuid: string) => ({ uuid, duration: 1 });

/** Of each product what is ordered, and how that is renewed; `full` is what a further term costs without a code. */
const PRODUCTS = [
  {
    product: 'license',
    full: 3.99,
    order: ['panel/order', () => ({ ...term, pack_uuid: LICENSE })],
    renew: ['panel/renew', renewing],
  },
  {
    product: 'server',
    full: 3.99,
    order: ['server/order', () => ({ ...term, ...host, pack_uuid: SERVER_PACKAGE })],
    renew: ['server/renew', renewing],
  },
  {
    product: 'webspace',
    full: 3.99,
    order: ['webspace/order', () => ({ ...term, pack_uuid: WEBSPACE_PACKAGE })],
    renew: ['webspace/renew', renewing],
  },
  {
    product: 'domain',
    full: 14.99,
    order: ['domain/order', (name: string) => ({ ...DOMAIN_ORDER, domain: name })],
    renew: [
      'domain/order',
      (_uuid: string, name: string) => ({ ...term, duration: undefined, action: 'renew', domain: name }),
    ],
  },
] as const;

for (const { product, full, order, renew } of PRODUCTS)
  test(`the quote of a ${product} says what its first renewal will cost: with what is left of a code, without set-up`, async () => {
    const renewals: unknown[] = [];
    for (const code of ['ONCE', 'TWICE', 'EVER', '']) {
      const who = await site.customer(100_000n);
      const sent = { token: who.secret };
      const name = `quoted-${code.toLowerCase() || 'full'}.com`;
      const input = { ...order[1](name), discount_code: code };
      const { quote } = await data(order[0], { ...input, dry_run: true }, sent);
      const refused = await call(order[0], { ...input, max_price: 0.01 }, sent);
      assert.equal(refused.body.error, 'price_changed', refused.text);
      assert.equal(refused.body.quote.renewal_gross, quote.renewal_gross);
      const ordered = await call(order[0], input, sent);
      assert.ok(ordered.status < 300, ordered.text);
      await work();
      const uuid = ordered.body.data[`${product}_uuid`];
      const further = { ...renew[1](uuid, name), dry_run: true };
      const first = (await data(renew[0], further, sent)).quote;
      assert.equal(quote.renewal_gross, first.gross, code);
      renewals.push([quote.renewal_gross, first.renewal_gross]);
    }
    const half = Math.round(full * 50) / 100;
    assert.deepEqual(renewals, [
      [full, full],
      [half, full],
      [half, half],
      [full, full],
    ]);
  });

test('who pays no tax is told what the renewals of a domain cost them, without it', async () => {
  const who = await site.customer(100_000n);
  await pool.pg.query("UPDATE accounts SET tax_country = 'AT', tax_business = true WHERE id = $1", [
    who.accountId,
  ]);
  const input = { ...DOMAIN_ORDER, dry_run: true };
  const sent = { token: who.secret };
  const { quote } = await data('domain/order', { ...input, domain: 'untaxed.com' }, sent);
  assert.equal(quote.renewal_gross, 12.6, '14.99 with 19 % in it');
  const names = [{ domain: 'untaxed.com' }, { domain: 'untaxed-too.com' }];
  const { domain: _one, period: _all, ...whole } = { domain: '', ...input };
  const basket = await data('domain/order-many', { ...whole, names, discount_code: 'TWICE' }, sent);
  assert.deepEqual(
    [basket.quote.renewal_gross, basket.names.map((one: { renewal_gross: number }) => one.renewal_gross)],
    [12.6, [6.3, 6.3]],
  );
});

test('the quote of another size counts on the discount that the server keeps, and not on one of another package', async () => {
  const items = [SERVER_PACKAGE];
  await data('staff/discount-create', { code: 'PACKAGE', percent: 50, cycles: 0, items }, staff);
  const own = { cores: 2, memory: 2048, disk: 40 };
  for (const [code, renewal] of Object.entries({ TWICE: 27.5, PACKAGE: 55 })) {
    const who = await site.customer(100_000n);
    const sent = { token: who.secret };
    const input = { ...term, ...host, pack_uuid: SERVER_PACKAGE, discount_code: code };
    const { server_uuid: uuid } = (await call('server/order', input, sent)).body.data;
    await work();
    const { quote } = await data('server/resize', { ...own, uuid, dry_run: true }, sent);
    assert.equal((await call('server/resize', { ...own, uuid }, sent)).status, 202);
    await work();
    const { quote: first } = await data('server/renew', { ...renewing(uuid), dry_run: true }, sent);
    assert.deepEqual([code, quote.renewal_gross], [code, first.gross]);
    assert.equal(quote.renewal_gross, renewal);
  }
});
