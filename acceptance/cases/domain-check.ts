import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from '../api.ts';
import { domainCheck } from '../documented/interface.ts';
import { refusal, success } from '../envelope.ts';
import type { Installation } from '../installation.ts';
import { at, type JsonObject, listAt, numberAt, stringAt } from '../json.ts';

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

  test('the registry has free, taken and premium names, and premium ones have prices of their own', async () => {
    const found = new Map<string, JsonObject>();
    const names = ['google', 'taken', 'premium', 'shop', 'gold', 'hostkeep-acceptance', 'a', 'ai', 'xx'];
    for (const name of names) {
      for (const result of listAt(await check(api, `${name}.com`), '/results')) {
        const kind = at(result, '/premium') === true ? 'premium' : String(at(result, '/available'));
        found.set(kind, { name, result });
        assert.equal(
          at(result, '/reason') === null,
          at(result, '/available'),
          `a reason exactly where not available: ${JSON.stringify(result)}`,
        );
      }
    }
    assert.deepEqual([...found.keys()].sort(), ['false', 'premium', 'true']);
    const premium = at(found.get('premium') ?? {}, '/result');
    const plain = at(found.get('true') ?? {}, '/result');
    assert.ok(numberAt(premium, '/pricing/register') > 0);
    assert.ok(numberAt(plain, '/pricing/register') > 0);
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
