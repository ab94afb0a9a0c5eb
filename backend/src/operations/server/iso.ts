import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { shownMedium } from '../../business/servers/changes/medium.ts';
import { server } from '../../business/servers/server.ts';
import { operation } from '../../operation.ts';
import { bootDevice, shownIso } from './medium.schema.ts';

export default operation({
  method: 'GET',
  path: 'server/iso',
  summary: "What is in a server's drive, and what can be put into it",
  audience: 'customer',
  scope: 'server:read',
  input: z.strictObject({ uuid }),
  output: z.object({
    uuid,
    iso: shownIso.nullable().describe('null: the drive is empty.'),
    boot: bootDevice.describe('What the server starts from first'),
    images: z.array(shownIso.extend({ sha256: z.string().describe('Of the whole medium') })),
    version: z.int(),
  }),
  message: { en: 'These are the media.', de: 'Das sind die Medien.' },
  errors: ['not_found'],
  example: { input: { uuid: '0198f6c2-6f0e-7c55-9d0e-0a3a2f0e5b11' } },
  resource: server,
  read: (ctx, _input, found) => ({
    uuid: found.id,
    iso: shownMedium(ctx.catalog.isoImages, found.iso),
    boot: found.iso_first ? ('iso' as const) : ('disk' as const),
    images: ctx.catalog.content.iso_images.map(({ name, displayname, sha256 }) => ({
      name,
      displayname,
      sha256,
    })),
    version: found.version,
  }),
});
