import { boolean, type Call, type Endpoint, node, nodeOf, onVm, vmid, vmidOf } from '../endpoint.ts';
import type { Disk } from '../machine.ts';
import { died } from '../refusal.ts';
import type { Parameters } from '../schema.ts';

const BASE = '/nodes/{node}/qemu/{vmid}/agent';

/** The disk of a machine whose system answers. */
function agentOf(call: Call): Disk {
  const machine = call.cluster.machine(vmidOf(call), nodeOf(call));
  if (machine.config.agent === undefined) throw died('No QEMU guest agent configured');
  if (machine.process === null) throw died(`VM ${machine.vmid} is not running`);
  const { disk } = call.cluster.bootDisk(machine);
  if (disk === undefined || !disk.agent || machine.process.paused)
    throw died('QEMU guest agent is not running');
  return disk;
}

function command(
  method: Endpoint['method'],
  name: string,
  parameters: Parameters,
  code: (disk: Disk, values: Call['values']) => unknown,
): Endpoint {
  return {
    ...{ method, path: `${BASE}/${name}`, permissions: onVm('VM.Monitor'), proxied: true },
    parameters: { node, vmid, ...parameters },
    code: (call) => code(agentOf(call), call.values),
  };
}

export const agentEndpoints: readonly Endpoint[] = [
  command('POST', 'ping', {}, () => ({ result: {} })),
  command('GET', 'get-osinfo', {}, () => ({
    result: { id: 'debian', 'pretty-name': 'Debian GNU/Linux 13 (trixie)' },
  })),
  command('GET', 'network-get-interfaces', {}, () => ({
    result: [
      { name: 'lo', 'ip-addresses': [{ 'ip-address': '127.0.0.1', 'ip-address-type': 'ipv4', prefix: 8 }] },
      {
        name: 'eth0',
        'ip-addresses': [{ 'ip-address': '198.18.0.7', 'ip-address-type': 'ipv4', prefix: 24 }],
      },
    ],
  })),
  command('GET', 'file-read', { file: { type: 'string' } }, (disk, { file }) => {
    const instance = /^\/var\/lib\/cloud\/instances\/([^/]+)\/boot-finished$/.exec(String(file))?.[1];
    if (instance === undefined || !disk.finished.has(instance))
      throw died(`Agent error: failed to open file '${file}' (mode: 'r'): No such file or directory`);
    return { content: '12.34 - Fri, 20 Nov 2026 12:00:00 +0000 - v. 25.1.4\n' };
  }),
  command(
    'POST',
    'set-user-password',
    {
      username: { type: 'string' },
      password: { type: 'string', minLength: 5, maxLength: 1024 },
      crypted: boolean,
    },
    (disk, { username, password }) => {
      disk.logins.set(String(username), String(password));
      return { result: {} };
    },
  ),
];
