import { type Command, UsageError } from '../command.ts';
import { throughLosses } from '../db/reachable.ts';
import { isForReal, openDoors } from '../demo-close.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { endSoon, noteFaultOf, untilStopped } from '../signals.ts';

export const command: Command = {
  name: 'serve',
  summary: 'Serve the interface and run jobs until stopped',
  usage: '[--port <port>] [--listen <address>] [--no-worker] [--no-demo]',
  flags: { 'no-worker': 'boolean', 'no-demo': 'boolean' },
  async run({ config, flags, print, tell }) {
    const installation = await openInstallation(config, 'api', { waits: true, serves: true });
    try {
      if (isForReal(config)) await throughLosses(installation, () => refuseOpenDoors(installation));
      const demo =
        flags['no-demo'] === true ? null : await throughLosses(installation, () => demoIn(installation));
      const [{ serve }, { jobs }] = await Promise.all([
        import('../serve.ts'),
        import('../jobs.generated.ts'),
      ]);
      const stopped = untilStopped(installation.log);
      const running = await serve(installation, flags['no-worker'] === true ? null : jobs);
      if (demo !== null) for (const line of demo.lines(running.address)) print(line);
      if (running.health !== null)
        tell(`Its health and metrics: ${running.health}/readyz ${running.health}/metrics`);
      if (running.nameServer !== null)
        tell(`The sandbox's name server: ${running.nameServer.address} port ${running.nameServer.port}`);
      print(`Hostkeep is ready on ${running.address}`);
      const stop = await stopped;
      tell(`${stop.reason}: stopping`);
      await noteFaultOf(stop, installation);
      await running.stop({ atOnce: stop.isFault });
      endSoon();
    } finally {
      await installation.close();
    }
  },
};

async function demoIn(installation: Installation) {
  const { fillDemo } = await import('../demo.ts');
  return await fillDemo(installation);
}

/** Strangers that can come find no public password and no play money. */
async function refuseOpenDoors(installation: Installation): Promise<void> {
  const doors = await openDoors(installation);
  if (doors.length === 0) return;
  throw new UsageError(
    `strangers can reach this installation, or real customers are expected, and it is open:\n- ${doors.join('\n- ')}\n` +
      'If it is a playground for everybody, say so: --public-playground yes',
  );
}
