import { z } from 'zod';
import { SETTINGS_ERRORS, setOrRefuse, settingsInput, settingsOutput } from '../../api/settings.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { changeProtection } from '../../business/servers/protection.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';

const protection = z.object({ delete: z.boolean(), reinstall: z.boolean() });

export default operation({
  method: 'POST',
  path: 'server/settings',
  summary: 'Change whether a server renews itself, its name of your own, and what it is protected from',
  description:
    'Protected from `delete`, a server cannot be ended at once by `server/cancel`; from `reinstall`, it cannot be ' +
    'installed anew.',
  audience: 'customer',
  scope: 'server:write',
  input: settingsInput.extend({ protection: protection.partial().optional() }),
  output: settingsOutput.extend({ protection }),
  message: {
    en: 'The settings of the server were changed.',
    de: 'Die Einstellungen des Servers wurden geändert.',
  },
  errors: SETTINGS_ERRORS,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', auto_renew: true } },
  resource: server,
  async handle(tx, ctx, { protection: wanted, ...input }, found) {
    const set = setOrRefuse(ctx, found, input);
    const protection = {
      delete: wanted?.delete ?? found.protect_delete,
      reinstall: wanted?.reinstall ?? found.protect_reinstall,
    };
    const isChanged = await changeProtection(tx, found.id, protection);
    // Counted once for all that one call changes.
    const isCounted = set.version !== found.version;
    if (isChanged && !isCounted) bumpVersion(ctx.uow, found.id);
    return { ...set, version: isChanged && !isCounted ? set.version + 1 : set.version, protection };
  },
});
