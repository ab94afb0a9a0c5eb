// Needs: authority

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { axios } from 'acme-client';
import { openKeeper } from './keeper.ts';
import { until } from './until.ts';
import { freePort, ran } from './web-host.ts';

/**
 * An ACME authority and the name servers that it asks, as children: every name leads to 127.0.0.1 unless told
 * otherwise. `root` is the file of the certificate that curl has to trust.
 */
export async function openAuthority(httpPort: number) {
  const directory = await mkdtemp(join(tmpdir(), 'authority-'));
  const keeper = openKeeper();
  keeper.undo(`rm -rf '${directory}'`);
  const [port, management, dns, dnsManagement] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const made = ran([
    ...['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ]);
  assert.equal(made.code, 0, made.stderr);
  const configuration = join(directory, 'pebble.json');
  await writeFile(
    configuration,
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate,
        privateKey: key,
        httpPort,
        tlsPort: 1,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
      },
    }),
  );
  keeper.undo(`pkill -f -- '-management 127.0.0.1:${dnsManagement}'`);
  keeper.undo(`pkill -f '${configuration}'`);
  spawn(
    'pebble-challtestsrv',
    [
      ...['-defaultIPv4', '127.0.0.1', '-defaultIPv6', '', '-dns01', `127.0.0.1:${dns}`],
      ...['-management', `127.0.0.1:${dnsManagement}`, '-http01', '', '-https01', '', '-tlsalpn01', ''],
    ],
    { stdio: 'ignore' },
  );
  spawn('pebble', ['-config', configuration, '-dnsserver', `127.0.0.1:${dns}`], {
    stdio: 'ignore',
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
  });
  const ca = await readFile(certificate, 'utf8');
  axios.defaults.httpsAgent = new Agent({ ca });
  const get = (url: string) => ran(['curl', '-sS', '-m', '5', '--cacert', certificate, url]);
  const answers = async () => (get(`https://localhost:${port}/dir`).code === 0 ? true : null);
  await until(answers, () => 'the authority does not start', 25);
  const root = join(directory, 'root.pem');
  await writeFile(root, get(`https://localhost:${management}/roots/0`).stdout);

  /** Tells the name servers something: `add-a`, `add-caa`, … */
  async function tell(what: string, body: object): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${dnsManagement}/${what}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    assert.ok(answer.ok);
  }

  return {
    acme: {
      directory: `https://localhost:${port}/dir`,
      contact: 'hostmaster@hosting.example',
      caaIdentities: ['pebble.letsencrypt.org'],
      nameServers: [`127.0.0.1:${dns}`],
    },
    root,
    tell,
    close: keeper.close,
  };
}
