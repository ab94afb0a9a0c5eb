import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { GuestAgent } from '../port.ts';
import type { Machine } from './machine.ts';

const ANSWER_MS = 1_500;
// Who is in the machine decides what it says: bounded, and checked.
const MOST_ANSWER = 256 * 1024;
const MOST_ADDRESSES = 32;

const Answer = z.object({ return: z.unknown() });
const OsInfo = z.object({ 'pretty-name': z.string().max(200).optional() });
const Interfaces = z.array(
  z.object({
    name: z.string(),
    'ip-addresses': z.array(z.object({ 'ip-address': z.union([z.ipv4(), z.ipv6()]) })).optional(),
  }),
);

/** What the guest agent says of its system; null: there is none that answers. */
export async function agentState(machine: Machine): Promise<GuestAgent | null> {
  return await withAgent(machine, async (execute) => {
    const os = OsInfo.safeParse(await execute('guest-get-osinfo'));
    const interfaces = Interfaces.safeParse(await execute('guest-network-get-interfaces'));
    const addresses = (interfaces.data ?? [])
      .filter(({ name }) => name !== 'lo')
      .flatMap((one) => (one['ip-addresses'] ?? []).map((given) => given['ip-address']));
    return { osName: os.data?.['pretty-name'] ?? null, addresses: addresses.slice(0, MOST_ADDRESSES) };
  });
}

/** Whether the guest agent set the password, which it is given as a hash. */
export async function agentSetsPassword(machine: Machine, username: string, hash: string): Promise<boolean> {
  const set = await withAgent(machine, async (execute) => {
    const password = Buffer.from(hash).toString('base64');
    return (await execute('guest-set-user-password', { username, password, crypted: true })) !== undefined;
  });
  return set ?? false;
}

type Execute = (command: string, given?: object) => Promise<unknown>;

/** null: the agent does not answer. Its own refusals are undefined. */
async function withAgent<T>(machine: Machine, work: (execute: Execute) => Promise<T>): Promise<T | null> {
  if (!(await isListening(machine).catch(() => false))) return null;
  const stream = machine.node.executor.connect(`${machine.node.run(machine.serverId)}/agent.sock`);
  const lines = linesOf(stream);
  const execute: Execute = async (command, given = {}) => {
    stream.write(`${JSON.stringify({ execute: command, arguments: given })}\n`);
    const { value } = await lines.next();
    return Answer.safeParse(value).data?.return;
  };
  try {
    // Answers to somebody before may come first (QEMU Guest Agent Protocol, guest-sync).
    const id = randomInt(2 ** 31);
    stream.write(`${JSON.stringify({ execute: 'guest-sync', arguments: { id } })}\n`);
    for await (const answer of lines) {
      if (Answer.safeParse(answer).data?.return === id) return await work(execute);
    }
    return null;
  } catch {
    return null;
  } finally {
    stream.destroy();
  }
}

const Devices = z.array(z.object({ label: z.string(), 'frontend-open': z.boolean() }));

/** Whether anybody in the machine listens, which its device knows at once. */
async function isListening(machine: Machine): Promise<boolean> {
  const devices = Devices.parse(await machine.ask((qmp) => qmp.execute('query-chardev')));
  return devices.some((device) => device.label === 'agent' && device['frontend-open']);
}

async function* linesOf(stream: Duplex): AsyncGenerator<unknown> {
  const late = setTimeout(() => stream.destroy(), ANSWER_MS);
  let rest = '';
  try {
    stream.setEncoding('utf8');
    for await (const text of stream) {
      const lines = (rest + String(text)).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MOST_ANSWER) return;
      for (const line of lines) yield JSON.parse(line);
    }
  } finally {
    clearTimeout(late);
  }
}
