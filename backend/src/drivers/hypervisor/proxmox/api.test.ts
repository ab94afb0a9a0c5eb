import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { selfSigned } from '../../../../test/certificate.ts';
import { done } from '../../../../test/contracts/hypervisor.ts';
import { reader, vncAnswer } from '../../../../test/proxmox/console.ts';
import { openDriver } from '../../../../test/proxmox/driver.ts';
import { openSimulator } from '../../../../test/proxmox/simulator.ts';
import { macAddress } from '../../../base/mac-address.ts';
import { BackendUnavailable } from '../../outcome.ts';
import { ProxmoxApi } from './api.ts';
import { clusterProblem } from './problem.ts';
import { ClusterSettings } from './settings.ts';

const simulator = await openSimulator();
const { cluster, server, token } = simulator;
const { driver, settings, close } = openDriver(simulator);
const clock = { now: () => Temporal.Instant.fromEpochMilliseconds(cluster.now * 1000) };
after(async () => {
  close();
  await simulator.close();
});

test('a server whose certificate is not the known one gets nothing, not even the token', async () => {
  let heard = '';
  const impostor = createServer(selfSigned('localhost', '127.0.0.1'), (request, response) => {
    heard += JSON.stringify(request.headers);
    response.end('{"data":[]}');
  });
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
  for (const change of [{ urls: [url] }, { urls: [url], fingerprints: undefined }]) {
    const misled = openDriver(simulator, { change });
    await assert.rejects(misled.driver.list('fra-epyc'), BackendUnavailable);
    misled.close();
  }
  assert.equal(heard, '');
  impostor.close();
});

test('a certificate that an authority of the operator signed is trusted, for its names', async () => {
  const file = `${settings.token && 'file' in settings.token ? settings.token.file : ''}.pem`;
  writeFileSync(file, server.certificate.cert);
  const trusting = openDriver(simulator, { change: { fingerprints: undefined, ca_file: file } });
  assert.deepEqual((await trusting.driver.list('fra-epyc')).unreachableNodes, []);
  trusting.close();
});

test('a node of the API that cannot be reached is passed over', async () => {
  const over = openDriver(simulator, { change: { urls: ['https://127.0.0.1:9', simulator.url] } });
  assert.deepEqual((await over.driver.list('fra-epyc')).unreachableNodes, []);
  over.close();
});

test('an answer without an end, or none at all, is no answer within the deadline', async () => {
  const endless = createServer(server.certificate, (request, response) => {
    if (request.url?.includes('type=vm') === true) response.write('{"data":[');
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  const waiting = openDriver(simulator, { change: { urls: [url] } });
  await assert.rejects(waiting.driver.status(simulator.wanted(), 100), BackendUnavailable);
  await assert.rejects(waiting.driver.capacity('fra-epyc', 100), BackendUnavailable);
  waiting.close();
  endless.closeAllConnections();
  endless.close();
});

test('the token is in no error, and one that was replaced in its file is used at once', async () => {
  const { secret } = token;
  token.secret = 'another-secret';
  const failed = await driver.list('fra-epyc').catch((error: unknown) => error);
  assert.ok(failed instanceof BackendUnavailable);
  assert.equal(inspect(failed, { depth: null }).includes(secret), false);
  if (!('file' in settings.token)) assert.fail();
  writeFileSync(settings.token.file, `${token.id}=another-secret\n`);
  assert.deepEqual((await driver.list('fra-epyc')).unreachableNodes, []);
});

test('a machine has its card, sizes, addresses and filters as rule G2 wants them', async () => {
  const wanted = simulator.wanted({ uplink: 500, cores: 3, memory: 3072 });
  done(await driver.ensureMachine(wanted));
  const [machine] = simulator.machinesOf(wanted.serverId);
  const { config, firewall } = machine ?? assert.fail();
  const mac = macAddress(wanted.serverId).toUpperCase();
  assert.equal(config.net0, `virtio=${mac},bridge=vmbr0,firewall=1,rate=62.5`);
  assert.deepEqual([config.cores, config.memory, config.onboot], ['3', '3072', '1']);
  const { enable, ipfilter, macfilter, radv } = firewall.options;
  assert.deepEqual({ enable, ipfilter, macfilter, radv }, { enable: 1, ipfilter: 1, macfilter: 1, radv: 0 });
  assert.deepEqual(
    firewall.ipsets.get('ipfilter-net0')?.map(({ cidr }) => cidr),
    ['198.18.0.7', '2001:db8:1000:7::/64'],
  );
  const dropped = firewall.rules.map(({ proto, sport, dport, dest }) => [proto, sport, dport, dest]);
  for (const rule of [
    ['udp', undefined, '68', undefined],
    ['udp', undefined, '546', undefined],
    ['tcp', undefined, '25', undefined],
    [undefined, undefined, undefined, '10.0.0.0/8'],
  ])
    assert.ok(
      dropped.some((one) => inspect(one) === inspect(rule)),
      inspect(rule),
    );
  done(await driver.ensureAbsent(wanted));
});

test('a running machine with another size runs with it after a reset', async () => {
  const wanted = simulator.wanted();
  done(await driver.ensureMachine(wanted));
  const larger = { cores: 4, memory: 4096, disk: 50, uplink: 500 };
  assert.deepEqual(done(await driver.ensureResized(wanted, larger)), { requiresReboot: true });
  done(await driver.ensureRebooted(wanted, 1, 'reset'));
  assert.deepEqual(done(await driver.ensureResized(wanted, larger)), { requiresReboot: false });
  const [machine] = simulator.machinesOf(wanted.serverId);
  assert.equal(machine?.process?.config.cores, '4');
  done(await driver.ensureAbsent(wanted));
});

test('the console lets in who has its password (RFC 6143), and carries octets both ways', async () => {
  const wanted = simulator.wanted();
  done(await driver.ensureMachine(wanted));
  const console = (await driver.console(wanted, 5000)) ?? assert.fail('no console');
  const { stream, password } = console;
  const take = reader(stream);
  assert.equal((await take(12)).toString(), 'RFB 003.008\n');
  stream.write('RFB 003.008\n');
  assert.deepEqual([...(await take(2))], [1, 2]);
  stream.write(Buffer.from([2]));
  stream.write(vncAnswer(password ?? assert.fail('no password'), await take(16)));
  assert.deepEqual([...(await take(4))], [0, 0, 0, 0]);
  const sent = Buffer.alloc(300_000, 'x');
  stream.write(sent);
  assert.deepEqual(await take(sent.length), sent);
  stream.destroy();
  done(await driver.ensureAbsent(wanted));
});

test('doctor says what keeps a cluster from running machines', async () => {
  const problem = async (change: object = {}) => {
    const other = ClusterSettings.parse({ ...settings, ...change });
    const api = new ProxmoxApi(other);
    return await clusterProblem(api, other, clock).finally(() => api.close());
  };
  assert.equal(await problem(), null);
  assert.match((await problem({ storage: 'nowhere' })) ?? '', /no storage nowhere/);
  assert.match((await problem({ backups: 'disks' })) ?? '', /disks does not take backup/);
  assert.match((await problem({ images: { 'debian-13': [777] } })) ?? '', /no VM 777/);
  cluster.version = '8.1.4';
  assert.match((await problem()) ?? '', /older than 8\.2/);
  cluster.version = '9.0.3';
  cluster.firewallOptions = { enable: 0 };
  assert.match((await problem()) ?? '', /firewall of the cluster is off/);
  cluster.firewallOptions = { enable: 1 };
  token.expire = cluster.now;
  assert.match((await problem()) ?? '', /authentication failure \(status 401\)/);
  token.expire = 0;
});
