// Slow: 4 s

import assert from 'node:assert/strict';
import { type ContractSubject, hypervisorContract } from '../../../../test/contracts/hypervisor.ts';
import { openDriver } from '../../../../test/proxmox/driver.ts';
import type { FirewallRule as FirewallOfCluster } from '../../../../test/proxmox/machine.ts';
import { MEDIUM, openSimulator } from '../../../../test/proxmox/simulator.ts';
import type { FirewallRule } from '../../../base/firewall.ts';

async function open(): Promise<ContractSubject> {
  const simulator = await openSimulator();
  const { cluster, server } = simulator;
  const one = openDriver(simulator);
  const other = openDriver(simulator);
  let repeated: Promise<unknown> = Promise.resolve();
  const isClone = (method: string, path: string) => method === 'POST' && path.endsWith('/clone');
  const { driver } = one;
  const metrics = driver.metrics.bind(driver);
  return {
    driver: Object.assign(driver, {
      metrics(...asked: Parameters<typeof metrics>) {
        // pvestatd comes by.
        cluster.observe();
        return metrics(...asked);
      },
    }),
    wanted: () => simulator.wanted(),
    async writeFile(machine, name) {
      simulator.diskOf(machine).files.add(name);
    },
    async hasFileOnSecondDisk(machine, name) {
      const [{ config, node } = assert.fail('no machine')] = simulator.machinesOf(machine.serverId);
      const { disk } = cluster.mustHaveVolume(config.scsi0?.split(',')[0] ?? '', node);
      return config.boot?.startsWith('order=scsi30;scsi0') === true && disk?.files.has(name) === true;
    },
    async firewall({ serverId }) {
      const [found = assert.fail('no machine')] = simulator.machinesOf(serverId);
      const { rules, options } = found.firewall;
      const comments = rules.map(({ comment }) => String(comment ?? ''));
      const first = comments.findIndex((comment) => comment.startsWith('hostkeep customer: '));
      const last = comments.findLastIndex((comment) => comment.startsWith('hostkeep: '));
      assert.ok(first === -1 || first > last, 'a rule of a customer comes before ours');
      assert.equal(new Set(comments).size, comments.length, 'a rule is there twice');
      assert.ok(
        rules.every(({ enable }) => enable === 1),
        'a rule is off',
      );
      return {
        rules: rulesIn(rules),
        policyIn: policyOf(options.policy_in),
        policyOut: policyOf(options.policy_out),
      };
    },
    medium: async () => ({ name: 'debian-13-netinst', sha256: 'ab'.repeat(32), bootFirst: false }),
    async seesMedium({ serverId }) {
      const [machine] = simulator.machinesOf(serverId);
      return machine?.config.ide0?.startsWith(MEDIUM) === true;
    },
    hasFile: async (machine, name) => simulator.diskOf(machine).files.has(name),
    logsIn: async (...login) => simulator.logsIn(...login),
    async fail(machine, fault) {
      if (fault === 'timeout_before') server.losses.push({ fits: isClone, when: 'before' });
      // The answer to the last thing that is done for a new machine.
      if (fault === 'timeout_after')
        server.losses.push({ fits: (_, path) => path.endsWith('/status/start'), when: 'after' });
      cluster.firewallOptions = { enable: fault === 'refuse' ? 0 : 1 };
      if (fault === 'repeat') repeated = other.driver.ensureMachine(machine);
    },
    async started() {},
    async close() {
      await repeated;
      one.close();
      other.close();
      await simulator.close();
    },
  };
}

/** A customer's rules as the cluster has them; of ICMP those of both families are one. */
function rulesIn(rules: readonly FirewallOfCluster[]): FirewallRule[] {
  return rules.flatMap(({ comment, type, proto, dport, source, dest, action }): FirewallRule[] => {
    if (!String(comment).startsWith('hostkeep customer: ') || proto === 'ipv6-icmp') return [];
    const [from = 0, to = from] = String(dport ?? '')
      .split(':')
      .map(Number);
    return [
      {
        direction: type === 'in' ? 'in' : 'out',
        protocol: proto === 'tcp' || proto === 'udp' || proto === 'icmp' ? proto : 'any',
        ports: dport === undefined ? null : { from, to },
        cidr: source === undefined && dest === undefined ? null : String(type === 'in' ? source : dest),
        action: policyOf(action),
      },
    ];
  });
}

function policyOf(word: string | number | undefined): 'accept' | 'drop' {
  return word === 'DROP' ? 'drop' : 'accept';
}

hypervisorContract('proxmox', open);
