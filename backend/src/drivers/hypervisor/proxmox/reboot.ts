import { Machine } from './machine.ts';
import { onBoot, powerOf, shutDown, start, stop } from './power.ts';
import { Refused } from './refusal.ts';

/**
 * Starts a machine anew, once for each number. That a shutdown is part of a reboot is written down before it begins: a
 * machine that is found off is started again only then.
 */
export async function reboot(machine: Machine, number: number, how: 'graceful' | 'reset'): Promise<void> {
  const { record } = machine;
  if (record.reboots >= number) return;
  const power = powerOf(await machine.current());
  if (power === 'stopped' && record.rebooting !== number) throw new Refused('the machine is off');
  let begun = record.rebooting === number ? machine : await machine.write({ ...record, rebooting: number });
  begun = await onBoot(begun, true);
  if (power !== 'stopped') {
    if (how === 'graceful') await shutDown(begun);
    else await reset(begun);
  }
  const after = powerOf(await begun.current());
  if (after === 'stopped') await start(begun);
  if (after === 'paused') await begun.cluster.task('POST', begun.path('/status/resume'));
  // A start has written down what waited for it.
  const started = await Machine.read(begun.cluster, begun.vm);
  await started.write({ ...started.record, reboots: number, rebooting: null });
}

/** With what it has to run with unchanged its screen and connections stay; else its process has to be another one. */
async function reset(machine: Machine): Promise<void> {
  const running = await machine.running();
  const isSame = ['cores', 'memory', 'sockets', 'boot'].every(
    (name) => String(running[name]) === String(machine.configuration[name]),
  );
  if (isSame) await machine.cluster.task('POST', machine.path('/status/reset'));
  else await stop(machine);
}
