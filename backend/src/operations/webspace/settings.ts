import { SETTINGS_ERRORS, setOrRefuse, settingsInput, settingsOutput } from '../../api/settings.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { operation } from '../../operation.ts';

export default operation({
  method: 'POST',
  path: 'webspace/settings',
  summary: 'Change whether a webspace renews itself, and its name of your own',
  audience: 'customer',
  scope: 'webspace:write',
  input: settingsInput,
  output: settingsOutput,
  message: {
    en: 'The settings of the webspace were changed.',
    de: 'Die Einstellungen des Webspace wurden geändert.',
  },
  errors: SETTINGS_ERRORS,
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', auto_renew: true } },
  resource: webspace,
  handle: (_tx, ctx, input, found) => setOrRefuse(ctx, found, input),
});
