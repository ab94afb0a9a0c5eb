import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Api } from '../api.ts';
import { cheapestPackage, licenseOrder, orderedLicense } from '../catalogue.ts';
import { balanceMinor } from '../customer.ts';
import { refusal, refused, success } from '../envelope.ts';
import type { Answer } from '../exchange.ts';
import type { Installation } from '../installation.ts';
import { at, listAt, stringAt } from '../json.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** What the wire refuses before any operation looks at it, and what no operation may stumble over. */
export function errorCases({ api }: Installation): void {
  test('a path that is no operation is operation_not_found', async () => {
    for (const path of [
      'panel/nothing',
      'nothing',
      'panel/',
      'panel/order/x',
      'PANEL/ORDER',
      '%00',
      '..%2f',
    ]) {
      refusal(await api.call('GET', path), 404, 'operation_not_found');
    }
    refusal(await api.call('GET', '/api/v1/panel/list'), 404, 'operation_not_found');
  });

  test('a path that does not decode is refused', async () => {
    for (const path of ['panel/%', 'panel/%ff', 'panel/%c0%af']) {
      const answer = await api.call('GET', path);
      refusal(answer, answer.status, 'operation_not_found', 'malformed_request');
    }
  });

  test('a wrong method is method_not_allowed, with Allow', async () => {
    for (const [method, path, allowed] of [
      ['GET', 'panel/order', 'POST'],
      ['POST', 'panel/details', 'GET'],
      ['PUT', 'panel/details', 'GET'],
      ['DELETE', 'panel/order', 'POST'],
      ['PATCH', 'domain/check', 'POST'],
    ] as const) {
      const answer = await api.call(method, path);
      const body = refusal(answer, 405, 'method_not_allowed');
      const header = (answer.headers.allow ?? '').split(/,\s*/);
      assert.ok(header.includes(allowed), `${method} ${path}: Allow: ${header}`);
      assert.ok(listAt(body, '/allowed').includes(allowed));
    }
  });

  test('what is not JSON is malformed_request', async () => {
    const texts = ['{', '{"a":}', "{'a':1}", '{"a":1,}', 'null x', '\u0000', '{"a":"\n"}', '{"a":01}', 'NaN'];
    for (const rawBody of [...texts, '{"a":1}{"b":2}', '\ufeff{', '{"a":"\\x"}', '{"a":"\\u12"}']) {
      for (const [method, path] of [
        ['POST', 'panel/order'],
        ['GET', 'panel/details'],
      ] as const) {
        const answer = await api.call(method, path, { rawBody, headers: JSON_TYPE });
        refusal(answer, 400, 'malformed_request');
      }
    }
  });

  test('JSON that is not an object is refused', async () => {
    for (const rawBody of ['null', '[]', '"text"', '7', 'true', '[{"uuid":"x"}]']) {
      for (const [method, path] of [
        ['POST', 'panel/order'],
        ['GET', 'panel/details'],
      ] as const) {
        const answer = await api.call(method, path, { rawBody, headers: JSON_TYPE });
        refusal(answer, answer.status, 'malformed_request', 'validation_failed');
      }
    }
  });

  test('another media type than JSON is unsupported_media_type', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x'];
    for (const type of [...types, 'application/xml', 'application/jsonp']) {
      const answer = await api.call('POST', 'domain/check', {
        rawBody: '{"domain":"example.com"}',
        headers: { 'content-type': type },
      });
      refusal(answer, 415, 'unsupported_media_type');
    }
  });

  test('JSON in another encoding than UTF-8 is refused, never misread', async () => {
    const text = '{"domain":"bücher.de"}';
    const utf16 = Buffer.from(text, 'utf16le');
    const bodies: [string, Uint8Array, Record<string, string>][] = [
      ['latin1, not declared', Buffer.from(text, 'latin1'), {}],
      ['latin1', Buffer.from(text, 'latin1'), { 'content-type': 'application/json; charset=iso-8859-1' }],
      ['utf-16', utf16, { 'content-type': 'application/json; charset=utf-16' }],
      ['utf-16, not declared', utf16, {}],
      ['utf-16 with mark', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), {}],
      ['overlong', Buffer.from([...Buffer.from('{"domain":"a'), 0xc0, 0xaf, ...Buffer.from('.de"}')]), {}],
      ['gzip, declared', gzipSync(text), { 'content-encoding': 'gzip' }],
      ['gzip, not declared', gzipSync(text), {}],
      ['unknown coding', Buffer.from(text), { 'content-encoding': 'x-none' }],
    ];
    for (const [name, rawBody, headers] of bodies) {
      const answer = await api.call('POST', 'domain/check', {
        rawBody,
        headers: { ...JSON_TYPE, ...headers },
      });
      refused(answer, name);
      assert.ok(
        ['malformed_request', 'unsupported_media_type'].includes(stringAt(answer.body, '/error')),
        name,
      );
    }
    const declared = { 'content-type': 'application/json; charset=UTF-8' };
    success(await api.call('POST', 'domain/check', { rawBody: text, headers: declared }));
  });

  test('a body of 10 MB is payload_too_large, with the limit', async () => {
    const rawBody = `{"domain":"${'a'.repeat(10_000_000)}"}`;
    for (const [method, path] of [
      ['POST', 'domain/check'],
      ['POST', 'panel/order'],
      ['GET', 'panel/details'],
    ] as const) {
      const answer = await api.call(method, path, { rawBody, headers: JSON_TYPE });
      const body = refusal(answer, 413, 'payload_too_large');
      assert.ok(Number(at(body, '/limit')) >= 1024 * 1024);
    }
  });

  test('a body of just under 1 MiB is read', async () => {
    const rawBody = `{"domain":"${'a'.repeat(1_000_000)}"}`;
    const answer = await api.call('POST', 'domain/check', { rawBody, headers: JSON_TYPE });
    refusal(answer, 422, 'validation_failed');
  });

  test('an unknown field is refused and pointed at', async () => {
    const body = refusal(
      await api.post('domain/check', { domain: 'a.com', tdls: ['de'] }),
      422,
      'validation_failed',
    );
    assert.equal(at(body, '/errors/0/pointer'), '/tdls');
    assert.equal(at(body, '/errors/0/error'), 'unknown_field');
  });

  test('every fault of a request is listed, each with its pointer and kind', async () => {
    const answer = await api.post('panel/order', { pack_uuid: 'x', duration: '1', tos: 'yes', extra: 1 });
    const faults = new Map(
      listAt(refusal(answer, 422, 'validation_failed'), '/errors').map((fault) => [
        stringAt(fault, '/pointer'),
        stringAt(fault, '/error'),
      ]),
    );
    assert.equal(faults.get('/pack_uuid'), 'invalid_format');
    assert.equal(faults.get('/duration'), 'invalid_type');
    assert.equal(faults.get('/tos'), 'invalid_type');
    assert.equal(faults.get('/extra'), 'unknown_field');
  });

  test('a required field that is missing is required', async () => {
    const body = refusal(await api.get('panel/details'), 422, 'validation_failed');
    assert.deepEqual(
      listAt(body, '/errors').map((fault) => [stringAt(fault, '/pointer'), stringAt(fault, '/error')]),
      [['/uuid', 'required']],
    );
  });

  test('a UUID is its plain text and nothing else', async () => {
    const uuid = stringAt(await orderedLicense(api), '/license_uuid');
    const wrong = [`{${uuid}}`, `urn:uuid:${uuid}`, uuid.replaceAll('-', ''), ` ${uuid}`, 7, ''];
    for (const one of wrong) {
      refusal(await api.get('panel/details', { uuid: one }), 422, 'validation_failed');
    }
  });

  test('hostile texts are refused or kept as they are, and never a 5xx', async () => {
    const uuid = stringAt(await orderedLicense(api), '/license_uuid');
    for (const escaped of ['\\u0000', 'a\\u0000b', '\\ud800', 'a\\udc00b', '\\udc00\\ud800']) {
      const rawBody = `{"uuid":"${uuid}","custom_name":"${escaped}"}`;
      const answer = await api.call('POST', 'panel/rename', { rawBody, headers: JSON_TYPE });
      refused(answer, escaped);
    }
    for (const custom_name of ["'; DROP TABLE accounts; --", '<script>', '%s%n', '\u202e', '👩‍👩‍👧', '\\']) {
      success(await api.post('panel/rename', { uuid, custom_name }));
      const license = success(await api.get('panel/details', { uuid }));
      assert.equal(license.custom_name, custom_name);
    }
    refused(await api.post('panel/rename', { uuid, custom_name: 'x'.repeat(100_000) }), 'a long name');
  });

  test('NUL and lone surrogates in a query are never a 5xx', async () => {
    for (const path of ['panel/list?search=%00', 'panel/list?search=a%00b', 'panel/list?search=%ed%a0%80']) {
      unharmed(await api.call('GET', path), path);
    }
    for (const path of ['panel/details?uuid=%00', 'panel/details?uuid[]=x', 'panel/details?uuid=a&uuid=b']) {
      refused(await api.call('GET', path), path);
    }
  });

  test('deep nesting is refused', async () => {
    for (const depth of [100, 10_000, 300_000]) {
      for (const rawBody of [
        `{"domain":${'['.repeat(depth)}${']'.repeat(depth)}}`,
        `{"domain":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`,
      ]) {
        refused(await api.call('POST', 'domain/check', { rawBody, headers: JSON_TYPE }), `${depth} deep`);
      }
    }
  });

  test('huge and odd numbers are refused', async () => {
    const pack = await cheapestPackage(api);
    const before = await balanceMinor(api);
    const numbers = [
      '1e400',
      '-1e400',
      '1e308',
      '99999999999999999999',
      '9007199254740993',
      '1e-400',
      '-0',
      '0.1',
    ];
    for (const digits of [...numbers, '2147483648', `1${'0'.repeat(5000)}`]) {
      for (const field of ['duration', 'page']) {
        const rawBody =
          field === 'duration'
            ? JSON.stringify(licenseOrder(pack, { duration: 0 })).replace(
                '"duration":0',
                `"duration":${digits}`,
              )
            : `{"page":${digits}}`;
        const [method, path] = field === 'duration' ? ['POST', 'panel/order'] : ['GET', 'panel/list'];
        refused(await api.call(method, path, { rawBody, headers: JSON_TYPE }), `${field} ${digits}`);
      }
    }
    const dear = await api.call('POST', 'panel/order', {
      rawBody: JSON.stringify(licenseOrder(pack, { max_price: 0 })).replace(
        '"max_price":0',
        '"max_price":-1e400',
      ),
      headers: JSON_TYPE,
    });
    refused(dear, 'max_price');
    assert.equal(await balanceMinor(api), before);
  });

  test('a key given twice never makes an order of something else than one of its values', async () => {
    const pack = await cheapestPackage(api);
    const before = await balanceMinor(api);
    const body = JSON.stringify(licenseOrder(pack, { dry_run: true }));
    for (const rawBody of [
      body.replace('"duration":1', '"duration":1,"duration":2'),
      body.replace('"duration":1', '"duration":1,"duration":"x"'),
      body.replace('"duration":1', '"duration":1,"\\u0064uration":1'),
    ]) {
      unharmed(await api.call('POST', 'panel/order', { rawBody, headers: JSON_TYPE }), rawBody);
    }
    assert.equal(await balanceMinor(api), before);
  });

  test('prototype keys are unknown fields, and stay without effect', async () => {
    const pack = await cheapestPackage(api);
    const plain = JSON.stringify(licenseOrder(pack, { tos: false }));
    for (const member of [
      '"__proto__":{"tos":true}',
      '"constructor":{"prototype":{"tos":true}}',
      '"prototype":{"tos":true}',
      '"toString":"x"',
      '"hasOwnProperty":1',
      '"__proto__":null',
      '"\\u005f_proto__":{"tos":true}',
    ]) {
      const rawBody = plain.replace('{', `{${member},`);
      const answer = await api.call('POST', 'panel/order', { rawBody, headers: JSON_TYPE });
      refusal(answer, answer.status, 'validation_failed', 'malformed_request');
    }
    refused(await api.call('GET', 'panel/details?__proto__=x&constructor=y'), 'in a query');
    refused(await api.call('GET', 'panel/details?__proto__[uuid]=x'), 'nested in a query');
    refusal(await api.post('panel/order', licenseOrder(pack, { tos: false })), 422, 'terms_not_accepted');
  });

  test('no operation answers 5xx to bodies of the wrong kind', async () => {
    const bodies = [
      '{',
      '[]',
      'null',
      '{"uuid":{}}',
      '{"uuid":[null]}',
      '{"__proto__":{}}',
      '{"x":"\\ud800\\u0000"}',
    ];
    const operations = await everyOperation(api);
    assert.ok(operations.length >= 20);
    for (const [method, path] of operations) {
      await Promise.all(
        bodies.map(async (rawBody) =>
          unharmed(
            await api.call(method, path, { rawBody, headers: JSON_TYPE }),
            `${method} ${path} ${rawBody}`,
          ),
        ),
      );
    }
  });

  test('a client that prefers problem+json gets the same body as problem+json', async () => {
    for (const accept of [
      'application/problem+json',
      'application/problem+json, application/json;q=0.5',
      'application/json;q=0.1, application/problem+json;q=0.9',
    ]) {
      const answer = await api.call('GET', 'panel/details', { headers: { accept } });
      refusal(answer, 422, 'validation_failed');
      assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json\b/, accept);
    }
    for (const accept of ['application/json', '*/*', 'application/json, application/problem+json;q=0.5']) {
      const answer = await api.call('GET', 'panel/details', { headers: { accept } });
      refusal(answer, 422, 'validation_failed');
      assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/, accept);
    }
  });

  test('odd headers are never a 5xx', async () => {
    const headers: Record<string, string>[] = [
      { accept: 'image/png' },
      { accept: ';;;,,,q=' },
      { accept: '' },
      { 'accept-language': 'xx-ZZ;q=9, *' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${'x'.repeat(8000)}` },
      { authorization: 'Bearer \u00ff\u0080' },
      { 'x-request-id': 'x'.repeat(2000) },
      { prefer: 'wait=99999999999999999999' },
      { prefer: 'wait=-1, wait=x' },
      { 'content-type': '' },
      { 'content-type': 'application/json; charset="' },
      { 'x-forwarded-for': '999.1.1.1, \u00ff' },
      { cookie: '=;;;=%;session=%ff' },
      { expect: '100-continue' },
    ];
    for (const set of headers) {
      unharmed(
        await api.call('POST', 'domain/check', { json: { domain: 'a.com' }, headers: set }),
        JSON.stringify(set),
      );
    }
  });
}

/** Method and path of every operation, as the installation itself lists them. */
export async function everyOperation(api: Api): Promise<[string, string][]> {
  const answer = await api.call('GET', 'openapi.json', { token: null });
  assert.equal(answer.status, 200);
  const found: [string, string][] = [];
  for (const [path, item] of Object.entries(at(answer.body, '/paths') ?? {})) {
    for (const method of Object.keys(item ?? {})) {
      if (method !== 'get' && method !== 'post') continue;
      found.push([method.toUpperCase(), path.replace(/^\/(api\/v2\/)?/, '')]);
    }
  }
  return found;
}

/** Either done or refused with a proper body: no fault of the server. */
function unharmed(answer: Answer, what: string): void {
  if (answer.status >= 200 && answer.status < 300) return;
  refused(answer, what);
}
