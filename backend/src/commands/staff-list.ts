import { wireTime } from '../base/time.ts';
import { operators } from '../business/core/people/operator.ts';
import { nameOf } from '../business/core/people/person.ts';
import type { Command } from '../command.ts';
import { openInstallation } from '../installation.ts';

export const command: Command = {
  name: 'staff list',
  summary: 'List operators: uuid, state, role, second factor (yes, no), since when, e-mail address, name',
  usage: '',
  flags: {},
  async run({ config, print }) {
    const installation = await openInstallation(config, 'staff');
    try {
      for (const operator of await operators(installation.readPool)) {
        const { id, state, staff_role, totp_confirmed_at, created_at, email } = operator;
        const guarded = totp_confirmed_at === null ? 'no' : 'yes';
        print(
          [id, state, staff_role ?? 'support', guarded, wireTime(created_at), email, nameOf(operator)].join(
            '\t',
          ),
        );
      }
    } finally {
      await installation.close();
    }
  },
};
