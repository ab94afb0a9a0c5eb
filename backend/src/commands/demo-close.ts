import type { Command } from '../command.ts';
import { closeDemo } from '../demo-close.ts';
import { openInstallation } from '../installation.ts';

export const command: Command = {
  name: 'demo close',
  summary: "Shut the demo's log-ins out, and end its vouchers and discount codes, before real customers come",
  usage: '',
  flags: {},
  async run({ config }) {
    const installation = await openInstallation(config, 'demo');
    try {
      await closeDemo(installation.writePool, installation.clock.now());
    } finally {
      await installation.close();
    }
  },
};
