import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { uuid } from '../../api/field.ts';
import { operation } from '../../operation.ts';

const MOST = 100;

export default operation({
  method: 'GET',
  path: 'tools/create-uuid',
  summary: 'Create UUIDs',
  description:
    'Version 4 is random, version 7 begins with the time of its creation (RFC 9562); those of one answer are in ' +
    'ascending order. None is kept.',
  audience: 'customer',
  scope: 'tools:read',
  input: z.strictObject({
    version: z.literal([4, 7]).default(4),
    count: z.int().min(1).max(MOST).default(1),
  }),
  output: z.object({ uuids: z.array(uuid), version: z.int(), count: z.int() }),
  message: { en: 'The identifiers were created.', de: 'Die Kennungen wurden erzeugt.' },
  errors: [],
  example: { input: { version: 7, count: 2 } },
  read(_ctx, { version, count }) {
    const create = version === 4 ? randomUUID : randomUUIDv7;
    const uuids = Array.from({ length: count }, () => create()).sort();
    return { uuids, version, count };
  },
});
