// Needs: websites

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { certificateIdOf, renewalInfo } from './renewal-info.ts';

const directory = mkdtempSync(join(tmpdir(), 'renewal-'));
after(() => rmSync(directory, { recursive: true, force: true }));

/** The values of the example in RFC 9773, appendix A. */
const RFC_KEY_ID = '69:88:5B:6B:87:46:40:41:E1:B3:7B:84:7B:A0:AE:2C:DE:01:C8:D4';
const RFC_SERIAL = '0x87654321';
const RFC_ID = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE';

const pem = certificate(RFC_SERIAL);

let answers: Record<string, unknown> = {};
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = answers[request.url ?? ''];
  if (answer === undefined) response.statusCode = 404;
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer ?? {}));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const WINDOW = { start: '2027-01-02T04:00:00Z', end: '2027-01-03T04:00:00Z' };

test('a certificate is named as in the example of RFC 9773, and without a key identifier not at all', () => {
  assert.equal(certificateIdOf(pem), RFC_ID);
  assert.equal(certificateIdOf(certificate('0x01', false)), null);
});

test('the moment is inside of the window that the authority suggests, and the same when it is asked again', async () => {
  answers = {
    '/dir': { renewalInfo: `${url}/ari` },
    [`/ari/${RFC_ID}`]: { suggestedWindow: WINDOW, explanationURL: 'https://ca.example/why' },
  };
  const info = await renewalInfo(`${url}/dir`, pem);
  assert.ok(info !== null && info.certificateId === RFC_ID);
  const at = info.renewAt.toString();
  assert.ok(at >= WINDOW.start && at < WINDOW.end, at);
  assert.equal((await renewalInfo(`${url}/dir`, pem))?.renewAt.toString(), at);
});

test('an authority without the service, or with an answer that is none, says nothing', async () => {
  answers = { '/dir': { newOrder: `${url}/order` } };
  assert.equal(await renewalInfo(`${url}/dir`, pem), null);
  answers = { '/dir': { renewalInfo: `${url}/ari` } };
  assert.equal(await renewalInfo(`${url}/dir`, pem), null);
  answers = {
    '/dir': { renewalInfo: `${url}/ari` },
    [`/ari/${RFC_ID}`]: { suggestedWindow: { start: 'soon' } },
  };
  assert.equal(await renewalInfo(`${url}/dir`, pem), null);
  assert.equal(await renewalInfo('http://127.0.0.1:9/', pem), null);
  assert.ok(asked.includes(`/ari/${RFC_ID}`));
});

function certificate(serial: string, withKeyId = true): string {
  const [key, out] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const keyId = withKeyId ? `DER:30:16:80:14:${RFC_KEY_ID}` : null;
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-subj',
        '/CN=a.example',
      ],
      ...['-set_serial', serial, '-keyout', key, '-out', out, '-addext', 'subjectKeyIdentifier=none'],
      ...['-addext', keyId === null ? 'authorityKeyIdentifier=none' : `2.5.29.35=${keyId}`],
    ],
    { stdio: 'ignore' },
  );
  return readFileSync(out, 'utf8');
}
