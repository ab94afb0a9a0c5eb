import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, afterEach, before, describe, test } from 'node:test';
import { type FirewallRule, OPEN, type WantedFirewall } from '../../src/base/firewall.ts';
import type {
  FoundMachine,
  Hypervisor,
  MachineRef,
  WantedMachine,
  WantedMedium,
  WantedRescue,
} from '../../src/drivers/hypervisor/port.ts';
import { BackendUnavailable, type CommandOutcome } from '../../src/drivers/outcome.ts';

export type ContractFault = 'timeout_before' | 'timeout_after' | 'refuse' | 'repeat';

/** A driver under test, with the ways to look into its machines that the port does not have. */
export interface ContractSubject {
  readonly driver: Hypervisor;
  /** A machine that was never made, on a host and an image that the driver has. */
  wanted(): WantedMachine;
  writeFile(machine: MachineRef, name: string): Promise<void>;
  hasFile(machine: MachineRef, name: string): Promise<boolean>;
  /** On the second disk of a machine that runs another system than its own. */
  hasFileOnSecondDisk(machine: MachineRef, name: string): Promise<boolean>;
  /** What the back end was told of a machine's own firewall. */
  firewall(machine: MachineRef): Promise<WantedFirewall>;
  /** A medium that the driver has. */
  medium(): Promise<WantedMedium>;
  /** Whether the system in a machine sees it in the drive. */
  seesMedium(machine: MachineRef, medium: WantedMedium): Promise<boolean>;
  /** Whether the machine lets this user in. */
  logsIn(machine: MachineRef, username: string, password: string): Promise<boolean>;
  /** Makes the next ensureMachine for this machine go wrong. */
  fail(machine: WantedMachine, fault: ContractFault): Promise<void>;
  /** Waits until the system in a machine listens to who wants it to shut down. */
  started(machine: MachineRef): Promise<void>;
  close(): Promise<void>;
}

const DEADLINE_MS = 10_000;

/** What every hypervisor driver must do, whatever it drives: the sandbox passes it, so jobs may rely on it. */
export function hypervisorContract(name: string, open: () => Promise<ContractSubject>): void {
  describe(`the hypervisor contract: ${name}`, () => {
    let subject: ContractSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());
    const used: WantedMachine[] = [];
    // Real machines take turns on a small node.
    afterEach(async () => {
      for (const one of used.splice(0)) await subject.driver.ensureAbsent(one);
    });

    const machine = (change: Partial<WantedMachine> = {}) => {
      const wanted = { ...subject.wanted(), serverId: randomUUID(), ...change };
      used.push(wanted);
      return wanted;
    };
    const found = async (wanted: MachineRef): Promise<readonly FoundMachine[]> =>
      (await subject.driver.list(wanted.host)).machines.filter(
        ({ serverId }) => serverId === wanted.serverId,
      );

    async function made(change: Partial<WantedMachine> = {}): Promise<WantedMachine> {
      const wanted = machine(change);
      assert.deepEqual(await ensured(subject.driver, wanted), { power: wanted.power });
      return wanted;
    }

    test('ensuring a machine makes it as it is wanted, and lists it', async () => {
      const wanted = await made();
      const { serverId, host, node, generation, cores, memory, disk, power } = wanted;
      assert.deepEqual(await found(wanted), [
        { serverId, host, node, generation, cores, memory, disk, power, poweredOff: false },
      ]);
    });

    test('the login that was wanted works, and no other', async () => {
      const wanted = await made({ password: 'correct horse battery' });
      assert.equal(await subject.logsIn(wanted, wanted.username, 'correct horse battery'), true);
      assert.equal(await subject.logsIn(wanted, wanted.username, 'wrong horse battery'), false);
    });

    test('ensuring a machine twice, also at the same time, makes one', async () => {
      const wanted = machine();
      await Promise.all([ensured(subject.driver, wanted), ensured(subject.driver, wanted)]);
      await ensured(subject.driver, wanted);
      assert.equal((await found(wanted)).length, 1);
    });

    test('a machine of the wanted generation, or a later one, keeps its disk (rule G1)', async () => {
      const wanted = await made({ generation: 2 });
      await subject.writeFile(wanted, 'kept');
      await ensured(subject.driver, wanted);
      await ensured(subject.driver, { ...wanted, generation: 1 });
      assert.equal(await subject.hasFile(wanted, 'kept'), true);
      assert.equal((await found(wanted))[0]?.generation, 2);
    });

    test('a machine of an earlier generation is installed anew, once', async () => {
      const first = await made();
      await subject.writeFile(first, 'old');
      const second = { ...first, generation: first.generation + 1 };
      await ensured(subject.driver, second);
      assert.equal(await subject.hasFile(second, 'old'), false);
      await subject.writeFile(second, 'new');
      await ensured(subject.driver, second);
      assert.equal(await subject.hasFile(second, 'new'), true);
      assert.equal((await found(second)).length, 1);
    });

    test('a machine comes to each power state and stays there when told again', async () => {
      const wanted = await made({ power: 'stopped' });
      for (const power of ['running', 'running', 'paused', 'running', 'stopped', 'stopped'] as const) {
        const outcome = await subject.driver.ensurePower(wanted, power);
        assert.deepEqual(done(outcome), { power });
        assert.equal((await subject.driver.status(wanted, DEADLINE_MS))?.power, power);
        assert.equal((await found(wanted))[0]?.power, power);
      }
    });

    test('ensuring a machine that is there brings it to the wanted power state', async () => {
      const wanted = await made({ power: 'stopped' });
      await ensured(subject.driver, { ...wanted, power: 'running' });
      assert.equal((await subject.driver.status(wanted, DEADLINE_MS))?.power, 'running');
    });

    test('the power command makes no machine: where there is none it refuses', async () => {
      const wanted = machine();
      assert.equal((await subject.driver.ensurePower(wanted, 'running')).kind, 'refused');
      assert.deepEqual(await found(wanted), []);
    });

    test('a machine is gone after it was removed, and removing it again is done too', async () => {
      const wanted = await made();
      assert.equal(done(await subject.driver.ensureAbsent(wanted)), null);
      assert.equal(done(await subject.driver.ensureAbsent(wanted)), null);
      assert.deepEqual(await found(wanted), []);
      assert.equal(await subject.driver.status(wanted, DEADLINE_MS), null);
    });

    test('the status of a machine that never was is null', async () => {
      assert.equal(await subject.driver.status(machine(), DEADLINE_MS), null);
    });

    test('a machine says what it is built of, and starts from its disk first', async () => {
      const hardware = await subject.driver.hardware(await made(), DEADLINE_MS);
      if (hardware === null) assert.fail('it is built of nothing');
      assert.notEqual(hardware.machine, '');
      assert.notEqual(hardware.processor, '');
      assert.notEqual(hardware.network.model, '');
      assert.ok(hardware.sockets >= 1);
      assert.equal(hardware.bootOrder[0], hardware.disk.name);
      assert.equal(await subject.driver.hardware(machine(), DEADLINE_MS), null);
    });

    test('a running machine reports figures within its bounds, a stopped one none', async () => {
      const wanted = await made();
      const running = await subject.driver.status(wanted, DEADLINE_MS);
      if (running === null) assert.fail('it has no status');
      assert.ok(running.cpu >= 0 && running.cpu <= 1);
      assert.ok(running.memoryUsedMib >= 0 && running.memoryUsedMib <= wanted.memory);
      assert.ok(running.diskUsedGib === null || running.diskUsedGib <= wanted.disk);
      await subject.driver.ensurePower(wanted, 'stopped');
      const stopped = await subject.driver.status(wanted, DEADLINE_MS);
      assert.equal(stopped?.uptimeSeconds, 0);
      assert.equal(stopped?.cpu, 0);
    });

    test('a machine that is told to shut down is off in the end, and stays off when told again', async () => {
      const wanted = await made();
      await subject.started(wanted);
      assert.deepEqual(await settled(() => subject.driver.ensureShutdown(wanted)), { power: 'stopped' });
      assert.deepEqual(await settled(() => subject.driver.ensureShutdown(wanted)), { power: 'stopped' });
      assert.equal((await found(wanted))[0]?.power, 'stopped');
      assert.equal((await subject.driver.ensureShutdown(machine())).kind, 'refused');
    });

    test('a reboot is carried out once for each number, keeps the disk, and is refused where nothing runs', async () => {
      const wanted = await made();
      await subject.writeFile(wanted, 'kept');
      for (const [number, how] of [
        [1, 'reset'],
        [2, 'graceful'],
        [2, 'graceful'],
        [1, 'reset'],
      ] as const) {
        await subject.started(wanted);
        const reboot = () => subject.driver.ensureRebooted(wanted, number, how);
        assert.deepEqual(await settled(reboot), { power: 'running' });
      }
      assert.equal(await subject.hasFile(wanted, 'kept'), true);
      await subject.driver.ensurePower(wanted, 'stopped');
      assert.equal((await subject.driver.ensureRebooted(wanted, 3, 'reset')).kind, 'refused');
    });

    test('a password by cloud-init holds after the next start, for the newest revision, and keeps the disk', async () => {
      const wanted = await made({ password: 'correct horse battery', userData: '#!/bin/sh\nrm -f /kept' });
      await subject.writeFile(wanted, 'kept');
      const { username } = wanted;
      const change = (password: string, revision: number) =>
        subject.driver.ensurePassword(wanted, { username, password, revision, method: 'cloud_init' });
      done(await change('another horse battery', 2));
      done(await change('an older horse battery', 1));
      await settled(() => subject.driver.ensureRebooted(wanted, 1, 'reset'));
      await subject.started(wanted);
      assert.equal(await subject.logsIn(wanted, username, 'another horse battery'), true);
      assert.equal(await subject.logsIn(wanted, username, 'correct horse battery'), false);
      assert.equal(await subject.hasFile(wanted, 'kept'), true);
    });

    test('a machine takes another size; its disk only grows, and not with snapshots (rule G4)', async () => {
      const wanted = await made({ power: 'stopped' });
      const { cores, memory, disk, uplink } = wanted;
      const larger = { cores: cores + 1, memory: memory + 64, disk: disk + 1, uplink: uplink / 2 };
      done(await subject.driver.ensureResized(wanted, larger));
      done(await subject.driver.ensureResized(wanted, larger));
      const [as] = await found(wanted);
      assert.deepEqual([as?.cores, as?.memory, as?.disk], [larger.cores, larger.memory, larger.disk]);
      assert.equal(
        (await subject.driver.ensureResized(wanted, { cores, memory, disk, uplink })).kind,
        'refused',
      );
      done(await subject.driver.ensureSnapshot(wanted, randomUUID()));
      const largest = { ...larger, disk: larger.disk + 1 };
      assert.equal((await subject.driver.ensureResized(wanted, largest)).kind, 'refused');
    });

    test('what a machine reaches can be told at any time, in whatever state it is; of none it is refused', async () => {
      const wanted = await made();
      const nullRouted = [
        ...wanted.ipv4.map(({ address }) => address),
        ...wanted.ipv6.map(({ network }) => network),
      ];
      for (const reach of [
        { mail: true, nullRouted },
        { mail: true, nullRouted },
        { mail: false, nullRouted: [] },
      ])
        assert.equal(done(await subject.driver.ensureNetworkAccess(wanted, reach)), null);
      await subject.driver.ensurePower(wanted, 'stopped');
      assert.equal(
        done(await subject.driver.ensureNetworkAccess(wanted, { mail: true, nullRouted: [] })),
        null,
      );
      await ensured(subject.driver, { ...wanted, generation: wanted.generation + 1, power: 'running' });
      assert.equal(
        (await subject.driver.ensureNetworkAccess(machine(), { mail: true, nullRouted: [] })).kind,
        'refused',
      );
    });

    test('what a firewall lets through can be told at any time, lasts through a reinstallation, and ends', async () => {
      const { driver } = subject;
      const wanted = await made();
      const rules: FirewallRule[] = [
        {
          direction: 'in',
          protocol: 'tcp',
          ports: { from: 22, to: 22 },
          cidr: '192.0.2.0/24',
          action: 'drop',
        },
        { direction: 'in', protocol: 'tcp', ports: { from: 22, to: 22 }, cidr: null, action: 'accept' },
        { direction: 'in', protocol: 'icmp', ports: null, cidr: null, action: 'accept' },
        { direction: 'in', protocol: 'any', ports: null, cidr: '2001:db8::/32', action: 'drop' },
        { direction: 'out', protocol: 'udp', ports: { from: 123, to: 130 }, cidr: null, action: 'drop' },
      ];
      const closed: WantedFirewall = { rules, policyIn: 'drop', policyOut: 'accept' };
      const filters = async (to: WantedFirewall) => assert.deepEqual(await subject.firewall(wanted), to);
      await filters(OPEN);
      for (const to of [closed, closed, { ...closed, rules: rules.toReversed() }, closed]) {
        assert.equal(await settled(() => driver.ensureFirewall(wanted, to)), null);
        await filters(to);
      }
      await driver.ensureNetworkAccess(wanted, { mail: true, nullRouted: [] });
      await filters(closed);
      await ensured(driver, { ...wanted, generation: wanted.generation + 1, power: 'stopped' });
      await filters(closed);
      await settled(() => driver.ensureFirewall(wanted, OPEN));
      await filters(OPEN);
      assert.equal((await driver.ensureFirewall(machine(), closed)).kind, 'refused');
    });

    test('a medium is in the drive until it is taken out or the machine is installed anew; an unknown one is refused', async () => {
      const { driver } = subject;
      const wanted = await made();
      const medium = await subject.medium();
      const change = async (to: WantedMedium | null) => {
        const { requiresReboot } = await settled(() => driver.ensureMedium(wanted, to));
        await settled(() => driver.ensureMedium(wanted, to));
        if (requiresReboot) {
          await driver.ensurePower(wanted, 'stopped');
          await driver.ensurePower(wanted, 'running');
        }
      };
      const order = async () => {
        const built = (await driver.hardware(wanted, DEADLINE_MS)) ?? assert.fail('there is no machine');
        return { count: built.bootOrder.length, isDiskFirst: built.bootOrder[0] === built.disk.name };
      };
      const without = await order();
      assert.equal(without.isDiskFirst, true);
      assert.equal(await subject.seesMedium(wanted, medium), false);
      await change(medium);
      assert.equal(await subject.seesMedium(wanted, medium), true);
      assert.deepEqual(await order(), { count: without.count + 1, isDiskFirst: true });
      await change({ ...medium, bootFirst: true });
      assert.deepEqual(await order(), { count: without.count + 1, isDiskFirst: false });
      const unknown = { name: 'none', sha256: '0'.repeat(64), bootFirst: false };
      assert.equal((await driver.ensureMedium(wanted, unknown)).kind, 'refused');
      assert.equal(await subject.seesMedium(wanted, medium), true);
      await change(null);
      assert.equal(await subject.seesMedium(wanted, medium), false);
      assert.deepEqual(await order(), without);
      await change(medium);
      await ensured(driver, { ...wanted, generation: wanted.generation + 1 });
      assert.equal(await subject.seesMedium(wanted, medium), false);
      assert.equal((await driver.ensureMedium(machine(), medium)).kind, 'refused');
    });

    test('a rescue is another system with a login of its own, made once; the own disk is beside it, and stays', async () => {
      const { driver } = subject;
      const wanted = await made({ password: 'correct horse battery' });
      const { username, image } = wanted;
      await subject.writeFile(wanted, 'own');
      const login = { username, password: 'rescue horse battery', sshKeys: [] };
      const rescue: WantedRescue = { rescueId: randomUUID(), image, ...login };
      const change = async (to: WantedRescue | null) => {
        done(await driver.ensurePower(wanted, 'stopped'));
        await settled(() => driver.ensureRescue(wanted, to));
        await settled(() => driver.ensureRescue(wanted, to));
        done(await driver.ensurePower(wanted, 'running'));
      };
      assert.equal((await driver.ensureRescue(wanted, rescue)).kind, 'refused');
      await driver.ensurePower(wanted, 'stopped');
      assert.equal((await driver.ensureRescue(wanted, { ...rescue, image: 'none' })).kind, 'refused');
      await change(rescue);
      assert.equal(await subject.logsIn(wanted, username, 'rescue horse battery'), true);
      assert.equal(await subject.hasFile(wanted, 'own'), false);
      assert.equal(await subject.hasFileOnSecondDisk(wanted, 'own'), true);
      await subject.writeFile(wanted, 'rescued');
      assert.equal((await driver.ensureRescue(wanted, null)).kind, 'refused');
      await settled(() => driver.ensureRescue(wanted, rescue));
      assert.equal(await subject.hasFile(wanted, 'rescued'), true);
      await change({ ...rescue, rescueId: randomUUID() });
      assert.equal(await subject.logsIn(wanted, username, 'rescue horse battery'), true);
      assert.equal(await subject.hasFile(wanted, 'rescued'), false);
      await change(null);
      assert.equal(await subject.logsIn(wanted, username, 'correct horse battery'), true);
      assert.equal(await subject.hasFile(wanted, 'own'), true);
      assert.equal((await driver.ensureRescue(machine(), rescue)).kind, 'refused');
    });

    test('a reinstallation ends a rescue', async () => {
      const { driver } = subject;
      const wanted = await made({ power: 'stopped' });
      const { username, image } = wanted;
      const login = { username, password: 'rescue horse battery', sshKeys: [] };
      await settled(() => driver.ensureRescue(wanted, { rescueId: randomUUID(), image, ...login }));
      const again = {
        ...wanted,
        generation: 2,
        power: 'running' as const,
        password: 'correct horse battery',
      };
      await ensured(driver, again);
      assert.equal(await subject.logsIn(wanted, username, 'correct horse battery'), true);
      done(await driver.ensureRescue(wanted, null));
    });

    for (const kind of ['Snapshot', 'Backup'] as const) {
      test(`a ${kind.toLowerCase()} keeps what there was; it is put back once, and only while the machine is off`, async () => {
        const { driver } = subject;
        const [id, restoreId] = [randomUUID(), randomUUID()];
        const wanted = await made();
        const take = async (): Promise<unknown> =>
          kind === 'Snapshot'
            ? done(await driver.ensureSnapshot(wanted, id))
            : done(await driver.ensureBackup(wanted, id));
        await subject.writeFile(wanted, 'before');
        await take();
        await subject.writeFile(wanted, 'after');
        await take();
        assert.equal((await driver[`ensure${kind}Restored`](wanted, id, restoreId)).kind, 'refused');
        await driver.ensurePower(wanted, 'stopped');
        assert.equal(
          (await driver[`ensure${kind}Restored`](wanted, randomUUID(), restoreId)).kind,
          'refused',
        );
        done(await driver[`ensure${kind}Restored`](wanted, id, restoreId));
        await driver.ensurePower(wanted, 'running');
        assert.equal(await subject.hasFile(wanted, 'before'), true);
        assert.equal(await subject.hasFile(wanted, 'after'), false);
        await subject.writeFile(wanted, 'later');
        await driver.ensurePower(wanted, 'stopped');
        done(await driver[`ensure${kind}Restored`](wanted, id, restoreId));
        done(await driver[`ensure${kind}Absent`](wanted, id));
        done(await driver[`ensure${kind}Absent`](wanted, id));
        assert.equal((await driver[`ensure${kind}Restored`](wanted, id, randomUUID())).kind, 'refused');
        await driver.ensurePower(wanted, 'running');
        assert.equal(await subject.hasFile(wanted, 'later'), true);
      });
    }

    test('metrics of a host tell of each machine, and nothing is made up of one that is off', async () => {
      const [on, off] = [await made(), await made({ power: 'stopped' })];
      const { machines } = await subject.driver.metrics(on.host, DEADLINE_MS);
      const of = ({ serverId }: MachineRef) => machines.find((one) => one.serverId === serverId);
      assert.equal(of(on)?.power, 'running');
      for (const counter of ['cpu', 'memoryUsedBytes', 'diskReadBytes', 'netInBytes'] as const) {
        assert.ok((of(on)?.[counter] ?? -1) >= 0, counter);
        assert.equal(of(off)?.[counter], null, counter);
      }
    });

    test('the capacity of a host names the nodes that machines are on', async () => {
      const wanted = await made({ power: 'stopped' });
      const { nodes } = await subject.driver.capacity(wanted.host, DEADLINE_MS);
      const node = nodes.find(({ node: name }) => name === wanted.node) ?? assert.fail();
      assert.ok(node.cores >= 1 && node.memory >= wanted.memory && node.disk >= node.diskFree);
    });

    test('the console of a running machine speaks RFB; there is none of one that is off or not there', async () => {
      const wanted = await made();
      const console = (await subject.driver.console(wanted, DEADLINE_MS)) ?? assert.fail('no console');
      const [greeting] = await once(console.stream, 'data');
      assert.equal(String(greeting).slice(0, 8), 'RFB 003.');
      console.stream.destroy();
      await subject.driver.ensurePower(wanted, 'stopped');
      assert.equal(await subject.driver.console(wanted, DEADLINE_MS), null);
      assert.equal(await subject.driver.console(machine(), DEADLINE_MS), null);
    });

    test('upkeep of a host may come at any time: what runs goes on, what is off stays off', async () => {
      const [on, off] = [await made(), await made({ power: 'stopped' })];
      assert.deepEqual(await subject.driver.ensureHost(on.host), { unreachableNodes: [] });
      assert.equal((await found(on))[0]?.power, 'running');
      assert.equal((await found(off))[0]?.power, 'stopped');
    });

    test('a time-out before the effect is thrown; the command then makes the machine', async () => {
      const wanted = machine();
      await subject.fail(wanted, 'timeout_before');
      await assert.rejects(subject.driver.ensureMachine(wanted), BackendUnavailable);
      assert.deepEqual(await found(wanted), []);
      await ensured(subject.driver, wanted);
      assert.equal((await found(wanted)).length, 1);
    });

    test('a time-out after the effect is thrown; the command then finds the machine as it is', async () => {
      const wanted = machine();
      await subject.fail(wanted, 'timeout_after');
      await assert.rejects(subject.driver.ensureMachine(wanted), BackendUnavailable);
      await subject.writeFile(wanted, 'kept');
      await ensured(subject.driver, wanted);
      assert.equal(await subject.hasFile(wanted, 'kept'), true);
      assert.equal((await found(wanted)).length, 1);
    });

    test('a refusal is an outcome with a reason, and changes nothing', async () => {
      const wanted = machine();
      await subject.fail(wanted, 'refuse');
      const outcome = await subject.driver.ensureMachine(wanted);
      assert.equal(outcome.kind, 'refused');
      assert.notEqual(outcome.kind === 'refused' && outcome.reason, '');
      assert.deepEqual(await found(wanted), []);
    });

    test('a command that arrives twice makes one machine', async () => {
      const wanted = machine();
      await subject.fail(wanted, 'repeat');
      await ensured(subject.driver, wanted);
      assert.equal((await found(wanted)).length, 1);
    });
  });
}

function ensured(driver: Hypervisor, wanted: WantedMachine): Promise<unknown> {
  return settled(() => driver.ensureMachine(wanted));
}

/** Asks until the work is done, as a job does; a back end may need more than one call. */
async function settled<T>(command: () => Promise<CommandOutcome<T>>): Promise<T> {
  let outcome = await command();
  while (outcome.kind === 'pending') outcome = await command();
  return done(outcome);
}

/** The result of a command that was carried out; anything else fails the test. */
export function done<T>(outcome: CommandOutcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(`done expected, got ${JSON.stringify(outcome)}`);
  return outcome.result;
}
