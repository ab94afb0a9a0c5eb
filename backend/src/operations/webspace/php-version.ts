import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { fieldProblem } from '../../api/order.ts';
import { task } from '../../api/task.ts';
import { bumpVersion } from '../../business/selling/subscriptions/version.ts';
import { webspace } from '../../business/webspaces/webspace.ts';
import { configure } from '../../business/webspaces/webspace-jobs.ts';
import { operation } from '../../operation.ts';
import { CHANGE_ERRORS, mustBeOn, wireLimits } from './webspace.schema.ts';

export default operation({
  method: 'POST',
  path: 'webspace/php-version',
  summary: 'Choose the version of PHP',
  audience: 'customer',
  scope: 'webspace:write',
  input: z.strictObject({ uuid, php_version: z.string().max(8) }),
  output: z.object({
    uuid,
    php_version: z.string(),
    previous_php_version: z.string(),
    version: z.int(),
    task: task.nullable().describe('null: nothing changed.'),
  }),
  message: { en: 'The version of PHP was chosen.', de: 'Die PHP-Version wurde gewählt.' },
  errors: [...CHANGE_ERRORS, 'validation_failed'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11', php_version: '8.4' } },
  resource: webspace,
  async handle(tx, ctx, input, found) {
    mustBeOn(ctx, found);
    const wanted = input.php_version;
    const previous = found.php_version;
    if (wanted === previous)
      return {
        uuid: found.id,
        php_version: wanted,
        previous_php_version: previous,
        version: found.version,
        task: null,
      };
    const here = ctx.catalog.webHosts.get(found.host)?.php_versions ?? [];
    const allowed = wireLimits(ctx.catalog, found).php_versions.filter((version) => here.includes(version));
    if (!allowed.includes(wanted))
      throw ctx.refusal(
        'validation_failed',
        fieldProblem('/php_version', 'not_allowed', 'The webspace cannot have this version of PHP.', {
          allowed,
        }),
      );
    await tx.kysely
      .updateTable('webspaces')
      .set({ php_version: wanted })
      .where('id', '=', found.id)
      .execute();
    bumpVersion(ctx.uow, found.id);
    return {
      uuid: found.id,
      php_version: wanted,
      previous_php_version: previous,
      version: found.version + 1,
      task: configure(ctx.uow, found),
    };
  },
});
