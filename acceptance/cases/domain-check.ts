import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { domainCheck } from '../documented/interface.ts';
import { refusal, success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../json.ts';

/** `POST domain/check`: which names it takes, in which spelling, and what it answers for them. */
export function domainCheckCases({ api }: Installation): void {
  test('POST domain/check answers every documented field, the submitted domain first', async () => {
    const data = await check(api, 'hostkeep-acceptance.com');
    assert.equal(data.searched_domain, 'hostkeep-acceptance');
    assert.equal(data.provided_tld, 'com');
    assert.equal(data.default_tld, null);
    assert.equal(at(data, '/results/0/domain'), 'hostkeep-acceptance.com');
  });

  test('domain/check adds the same name under further TLDs, each once', async () => {
    const data = await check(api, 'hostkeep-acceptance.com');
    const domains = listAt(data, '/results').map((result) => stringAt(result, '/domain'));
    assert.ok(domains.length > 1, 'further TLDs');
    assert.equal(new Set(domains).size, domains.length);
    assert.equal(data.total_checked, domains.length);
    for (const domain of domains) assert.ok(domain.startsWith('hostkeep-acceptance.'), domain);
  });

  test('a public suffix of two labels is one TLD', async () => {
    const data = await check(api, 'hostkeep-acceptance.co.uk');
    assert.equal(data.searched_domain, 'hostkeep-acceptance');
    assert.equal(data.provided_tld, 'co.uk');
    assert.equal(at(data, '/results/0/domain'), 'hostkeep-acceptance.co.uk');
  });

  test('an internationalised name answers alike in Unicode, in punycode and in capitals', async () => {
    const unicode = await check(api, 'bücher-hostkeep.de');
    assert.equal(at(unicode, '/results/0/domain'), 'xn--bcher-hostkeep-gsb.de');
    assert.equal(at(unicode, '/results/0/domain_unicode'), 'bücher-hostkeep.de');
    for (const spelling of ['xn--bcher-hostkeep-gsb.de', 'BÜCHER-Hostkeep.DE', 'bu\u0308cher-hostkeep.de']) {
      const { checked_at: _at, searched_domain: _searched, ...other } = await check(api, spelling);
      const { checked_at: _first, searched_domain: _name, ...first } = unicode;
      assert.deepEqual(other, first, spelling);
    }
  });

  test('capitals and the dot of the root change nothing', async () => {
    const { checked_at: _at, ...plain } = await check(api, 'hostkeep-acceptance.com');
    for (const spelling of ['HostKeep-Acceptance.COM', 'hostkeep-acceptance.com.']) {
      const { checked_at: _again, ...other } = await check(api, spelling);
      assert.deepEqual(other, plain, spelling);
    }
  });

  test('a name without TLD is checked under the default TLD, which the answer names', async () => {
    const data = await check(api, 'hostkeep-acceptance');
    const tld = stringAt(data, '/default_tld');
    assert.equal(data.searched_domain, 'hostkeep-acceptance');
    assert.equal(at(data, '/results/0/domain'), `hostkeep-acceptance.${tld}`);
  });

  test('tlds chooses the further TLDs', async () => {
    const data = await check(api, 'hostkeep-acceptance.com', { tlds: ['net', 'org'] });
    assert.deepEqual(
      listAt(data, '/results').map((result) => stringAt(result, '/domain')),
      ['hostkeep-acceptance.com', 'hostkeep-acceptance.net', 'hostkeep-acceptance.org'],
    );
  });

  test('premium names have prices of their own, and are available like others', async () => {
    const plain = await only(api, 'hostkeep-acceptance.com');
    assert.deepEqual([plain.premium, plain.available, plain.reason], [false, true, null]);
    for (const domain of ['premium-acceptance.com', 'q.com', 'qx.com']) {
      const premium = await only(api, domain);
      assert.deepEqual([premium.premium, premium.available], [true, true], domain);
      assert.ok(numberAt(premium, '/pricing/register') > numberAt(plain, '/pricing/register'), domain);
      assert.ok(numberAt(premium, '/pricing/renew') > numberAt(plain, '/pricing/renew'), domain);
    }
  });

  test('a name that cannot be had says why, and a registry that does not answer is no answer', async () => {
    for (const [domain, reason] of [
      ['taken-acceptance.com', 'taken'],
      ['google.com', 'taken'],
      ['reserved-acceptance.com', 'reserved'],
      ['down-acceptance.com', 'registry_unavailable'],
      ['timeout-acceptance.com', 'registry_unavailable'],
    ] as const) {
      const result = await only(api, domain);
      assert.deepEqual([result.available, result.reason], [false, reason], domain);
    }
  });

  test('prices are those of the public price list, with transfer null where none is offered', async () => {
    const answer = await api.call('GET', 'domain/pricelist', { query: { per_page: '2000' }, token: null });
    const prices = listAt(success(answer), '/prices');
    assert.ok(prices.length >= 200);
    const closed = prices.filter((price) => at(price, '/transfer') === null).slice(0, 3);
    assert.ok(closed.length > 0, 'some TLDs take no transfers');
    for (const price of [...closed, ...prices.slice(0, 20)]) {
      const result = await only(api, `hostkeep-acceptance.${stringAt(price, '/tld')}`);
      for (const kind of ['register', 'renew', 'transfer', 'restore']) {
        assert.equal(at(result, `/pricing/${kind}`), at(price, `/${kind}`), stringAt(price, '/tld'));
      }
    }
  });

  test('a TLD that is not sold is unsupported_tld', async () => {
    for (const domain of ['hostkeep-acceptance.zz', 'hostkeep-acceptance.invalid', 'a.b.hostkeep.zz']) {
      refusal(await api.post('domain/check', { domain }), 422, 'unsupported_tld');
    }
  });

  test('what is no domain name is validation_failed at /domain', async () => {
    const long = `${'a'.repeat(64)}.com`;
    const wrong = [
      '',
      ' ',
      '.',
      '..com',
      'a..com',
      '-a.com',
      'a-.com',
      'a b.com',
      'a_b.com',
      '192.0.2.1',
      long,
    ];
    for (const domain of [
      ...wrong,
      `${'a.'.repeat(130)}com`,
      'ab--cd.com',
      'xn--a.com',
      7,
      null,
      ['a.com'],
    ]) {
      const answer = await api.post('domain/check', { domain });
      const body = refusal(answer, 422, 'validation_failed');
      assert.equal(at(body, '/errors/0/pointer'), '/domain', JSON.stringify(domain));
    }
  });
}

async function check(api: Api, domain: string, more: Record<string, unknown> = {}): Promise<JsonObject> {
  return success(await api.post('domain/check', { domain, ...more }), domainCheck);
}

/** What is said of the submitted domain alone. */
async function only(api: Api, domain: string): Promise<JsonObject> {
  const data = await check(api, domain, { tlds: [] });
  assert.equal(data.total_checked, 1);
  return objectAt(data, '/results/0');
}
