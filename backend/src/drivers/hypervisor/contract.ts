import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { BackendUnavailable, type CommandOutcome } from '../outcome.ts';
import type { FoundMachine, Hypervisor, MachineRef, WantedMachine } from './port.ts';

export type ContractFault = 'timeout_before' | 'timeout_after' | 'refuse' | 'repeat';

/** A driver under test, with the ways to look into its machines that the port does not have. */
export interface ContractSubject {
  readonly driver: Hypervisor;
  /** A machine that was never made, on a host and an image that the driver has. */
  wanted(): WantedMachine;
  writeFile(machine: MachineRef, name: string): Promise<void>;
  hasFile(machine: MachineRef, name: string): Promise<boolean>;
  /** Whether the machine lets this user in. */
  logsIn(machine: MachineRef, username: string, password: string): Promise<boolean>;
  /** Makes the next ensureMachine for this machine go wrong. */
  fail(machine: MachineRef, fault: ContractFault): Promise<void>;
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

    const machine = (change: Partial<WantedMachine> = {}) => ({
      ...subject.wanted(),
      serverId: randomUUID(),
      ...change,
    });
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
        { serverId, host, node, generation, cores, memory, disk, power },
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

/** Asks until the work is done, as a job does; a back end may need more than one call. */
async function ensured(driver: Hypervisor, wanted: WantedMachine): Promise<unknown> {
  let outcome = await driver.ensureMachine(wanted);
  while (outcome.kind === 'pending') outcome = await driver.ensureMachine(wanted);
  return done(outcome);
}

function done<T>(outcome: CommandOutcome<T>): T {
  if (outcome.kind !== 'done') assert.fail(`done expected, got ${JSON.stringify(outcome)}`);
  return outcome.result;
}
