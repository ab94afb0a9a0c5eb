import type { Command } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { endSoon, noteFaultOf, untilStopped } from '../signals.ts';

export const command: Command = {
  name: 'worker',
  summary: 'Run jobs until stopped, without serving the interface',
  usage: '[--workers <jobs at once>]',
  flags: {},
  async run({ config, print, tell }) {
    const installation = await openInstallation(config, 'worker', { waits: true });
    try {
      const [{ workAlone }, { jobs }] = await Promise.all([
        import('../serve.ts'),
        import('../jobs.generated.ts'),
      ]);
      const stopped = untilStopped(installation.log);
      const working = await workAlone(installation, jobs);
      if (working.health !== null) {
        installation.log.info({ address: working.health }, 'health and metrics are served');
        tell(`Its health and metrics: ${working.health}/readyz ${working.health}/metrics`);
      }
      print('Hostkeep is working');
      const stop = await stopped;
      tell(`${stop.reason}: stopping`);
      await noteFaultOf(stop, installation);
      await working.stop();
      endSoon();
    } finally {
      await installation.close();
    }
  },
};
