// Slow: 100 s

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type ContractFault,
  type ContractSubject,
  hypervisorContract,
} from '../../../../test/contracts/hypervisor.ts';
import { keptStarts } from '../../../../test/kept-start.ts';
import { openQemuNode } from '../../../../test/qemu-node.ts';
import type { Executor } from '../../host/executor.ts';
import { localExecutor } from '../../host/local.ts';
import { BackendUnavailable } from '../../outcome.ts';
import type { MachineRef, WantedMachine } from '../port.ts';
import { QemuHypervisor } from './hypervisor.ts';
import { uploadMedium } from './medium.ts';
import { probe } from './probe.ts';

const PASSWORD = 'correct horse battery';
const LABEL = 'HOSTKEEP_MEDIUM';

async function open(): Promise<ContractSubject> {
  let fault: ContractFault | null = null;
  let repeated: Promise<unknown> = Promise.resolve();
  const met = (kind: ContractFault) => {
    const isIt = fault === kind;
    if (isIt) fault = null;
    return isIt;
  };
  const starts = await keptStarts(localExecutor('qemu'));
  const local = starts.executor;
  /** The node's answers get lost, or tell of an image that is not there. */
  const executor: Executor = {
    ...local,
    async run(argv, options) {
      if (argv.some((word) => word.includes('/names/$2')) && met('refuse'))
        return { code: 0, stdout: '', stderr: '' };
      const finished = await local.run(argv, options);
      if (argv.includes('qemu-system-x86_64') && met('timeout_after')) throw new BackendUnavailable('node');
      return finished;
    },
  };
  const passwords = new Map<string, string>();
  const host = await openQemuNode({
    executor,
    reached: (point) => {
      if (point === 'build' && met('timeout_before')) throw new Error('the connection broke');
    },
  });
  const machineOf = async ({ serverId }: MachineRef): Promise<WantedMachine> => {
    const record = JSON.parse(
      await host.node.sh('cat "$1"/[0-9]*/machine.json', host.node.directory(serverId)),
    );
    return { ...host.wanted(), ...record };
  };
  const inMachine = async (machine: MachineRef, command: string) =>
    await host.inMachine(await machineOf(machine), passwords.get(machine.serverId) ?? PASSWORD, command);
  return {
    driver: host.driver,
    wanted: () => host.wanted({ password: PASSWORD }),
    async writeFile(machine, name) {
      const { code, stderr } = await inMachine(machine, `touch /${name} && sync`);
      if (code !== 0) throw new Error(`the file could not be written: ${stderr}`);
    },
    hasFile: async (machine, name) => (await inMachine(machine, `test -e /${name}`)).code === 0,
    hasFileOnSecondDisk: async (machine, name) =>
      (await inMachine(machine, `mount -t ext4 -o ro /dev/vdb2 /mnt && test -e /mnt/${name} && umount /mnt`))
        .code === 0,
    // Whether packets follow is shown by firewall.test.ts.
    firewall: async ({ serverId }) => {
      const [found] = await probe(host.node, serverId);
      if (found === undefined) throw new Error('there is no machine');
      return found.record.firewall;
    },
    async medium() {
      const [directory, path] = [
        `${host.node.settings.state}/names`,
        `${host.node.settings.state}/medium.iso`,
      ];
      await host.node.command(['mkdir', '-p', directory]);
      execFileSync('genisoimage', ['-quiet', '-output', path, '-volid', LABEL, directory]);
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
      await uploadMedium(host.node, path, sha256);
      return { name: 'medium', sha256, bootFirst: false };
    },
    async seesMedium(machine) {
      const descriptor = 'dd if=/dev/sr1 bs=2048 skip=16 count=1 2>/dev/null';
      return (await inMachine(machine, `${descriptor} | tr -d '\\0' | grep -q ${LABEL}`)).code === 0;
    },
    async logsIn(machine, username, password) {
      const { code } = await host.inMachine({ ...(await machineOf(machine)), username }, password, 'true');
      if (code === 0) passwords.set(machine.serverId, password);
      return code === 0;
    },
    async started(machine) {
      await host.answers(await machineOf(machine));
    },
    async fail(machine, kind) {
      fault = kind;
      if (kind !== 'repeat') return;
      fault = null;
      const other = new QemuHypervisor({ hosts: new Map([[machine.host, [host.node]]]) });
      repeated = other.ensureMachine(machine);
    },
    async close() {
      await repeated;
      await host.close();
      await starts.forget();
    },
  };
}

hypervisorContract('qemu', open);
