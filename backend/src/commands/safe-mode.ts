import { type Command, UsageError } from '../command.ts';
import { openInstallation } from '../installation.ts';
import { isSafeMode, setSafeMode } from '../work/safe-mode.ts';

export const command: Command = {
  name: 'safe-mode',
  summary: 'Show or switch safe mode, in which no command reaches a back end',
  usage: '[on|off]',
  flags: {},
  async run({ config, words, print }) {
    const [wanted] = words;
    if (wanted !== undefined && wanted !== 'on' && wanted !== 'off')
      throw new UsageError('it takes on or off');
    const installation = await openInstallation(config, 'safe-mode');
    try {
      const { writePool, clock } = installation;
      if (wanted !== undefined) await setSafeMode(writePool, wanted === 'on', clock.now());
      print((await isSafeMode(writePool)) ? 'on' : 'off');
    } finally {
      await installation.close();
    }
  },
};
