import type { Command } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { untilStopped } from '../signals.ts';

export const command: Command = {
  name: 'worker',
  summary: 'Run jobs until stopped, without serving the interface',
  usage: '[--workers <jobs at once>]',
  flags: {},
  async run({ config, print, tell }) {
    const installation = await openInstallation(config, 'worker');
    try {
      const [{ work }, { jobs }] = await Promise.all([import('../serve.ts'), import('../jobs.generated.ts')]);
      const working = await work(installation, jobs);
      print('Hostkeep is working');
      tell(`${await untilStopped()}: stopping`);
      await working.stop();
    } finally {
      await installation.close();
    }
  },
};
